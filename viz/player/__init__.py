"""The player: what a page is told of a story, the page, and the same in JupyterLab."""
