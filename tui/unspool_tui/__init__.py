"""The Textual app and the `unspool` command, on top of the `unspool` library."""
