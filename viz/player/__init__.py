"""The player: what a page is given of a story, the page itself, and the same in JupyterLab."""
