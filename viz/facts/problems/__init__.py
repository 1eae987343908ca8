"""Find the problems that the records of a trace prove: `trace.problems()`."""
