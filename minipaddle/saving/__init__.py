"""`paddle.save` and `paddle.load`, and the pickles that they read and write."""
