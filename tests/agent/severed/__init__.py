"""Jobs whose loss has no graph. What cut it is marked `# <-`."""
