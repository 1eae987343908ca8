"""One file per topic; every `@case` function in it, and every row of its `TABLE`, is a case."""
