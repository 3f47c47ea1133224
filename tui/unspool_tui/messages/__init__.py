"""What comes back from workers: past events that carry their question, so that a stale answer can be dropped."""
