"""The pictures of the app: a day of work written by a factory, both screens at three sizes, SVG and PNG."""
