"""Blobs: whole outputs, kept outside of a conversation under ids that can be quoted.

`content` is what a blob holds, `store` what every store promises, `files` the durable store in a folder, `memory` the
one for tests and short-lived agents, `background` the asynchronous face of either, `opened` a blob read by windows.
"""
