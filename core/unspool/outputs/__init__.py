"""Outputs that do not lie where they were produced: markers, selectors, bounded inspection."""
