"""Origins of gradients: their paths, the linear maps on them, and where they are cut off."""
