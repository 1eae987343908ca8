"""What a notebook needs: the cell magic, and how a trace shows itself."""
