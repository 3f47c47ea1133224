"""The first frame, and the app that goes on from it."""
