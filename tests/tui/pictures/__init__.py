"""Pictures of every state of every screen at three sizes, what must stand in them, and the pictures recorded last."""
