"""Next-track ranking from listening sessions."""
