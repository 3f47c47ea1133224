"""The pieces of one source as columns, and their texts."""
