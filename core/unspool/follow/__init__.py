"""Following sessions while they are written: one, or everything under some roots."""
