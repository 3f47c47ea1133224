"""The first frame: what a screen will look like, written to the terminal before the toolkit of the app is imported."""
