"""The document: a recording as versioned JSON, written canonically and checked when read."""
