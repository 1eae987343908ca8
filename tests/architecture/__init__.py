"""The rules of the code base, each a function with a test that it notices a breach."""
