"""Online skip-gram whose vocabulary is discovered while the text flows by."""
