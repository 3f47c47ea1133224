"""One visible thing per file; widgets draw lines and post facts."""
