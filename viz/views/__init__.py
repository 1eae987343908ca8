"""Views: what compares, explains or measures stories, each with a picture of its own."""
