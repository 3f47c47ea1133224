"""Frozen snapshots of sessions, and the bounded answers they give."""
