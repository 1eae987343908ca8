"""What happens in a step, in English and in Chinese."""
