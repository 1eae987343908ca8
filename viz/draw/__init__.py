"""Drawing: a scene becomes marks, and marks become SVG, PNG, PDF, GIF, DOT or text."""
