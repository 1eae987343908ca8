"""What is wrong in a recording, as far as its records prove it: `trace.problems()`."""
