"""PyLayer: a user's own forward and backward as one node of the tape."""
