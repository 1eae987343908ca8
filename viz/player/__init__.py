"""The player: the payload of a story, the page that plays it, and a widget for notebooks."""
