"""Where a gradient comes from: its paths, the linear maps on them, and where it is cut off."""
