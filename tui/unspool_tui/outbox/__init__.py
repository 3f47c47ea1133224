"""What leaves the app: onto the clipboard, into a pager, into a file that people can share.

Like the gateway it works off the screen's thread, and its answers come as messages. What takes long reads from a view
apart, so that it never keeps a reader waiting.
"""
