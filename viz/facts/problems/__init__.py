"""Problems in a recording, as far as its records prove them: `trace.problems()`."""
