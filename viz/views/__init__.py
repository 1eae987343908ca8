"""Results of viz beside traces: they print, show themselves in a notebook and are saved."""
