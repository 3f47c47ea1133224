"""The app, driven by a pilot and read as a grid of cells."""
