"""Sentences for steps, in English and in Chinese."""
