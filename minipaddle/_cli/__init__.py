"""The commands of `python -m minipaddle`, a module each, with `main(arguments) -> status`."""
