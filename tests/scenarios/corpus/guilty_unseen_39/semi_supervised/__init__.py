"""Mean teacher experiment."""
