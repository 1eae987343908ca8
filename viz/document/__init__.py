"""The document: a recording as versioned JSON, written canonically and read with care."""
