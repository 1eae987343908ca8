"""What viz returns beside traces: it prints, shows itself in a notebook and is saved."""
