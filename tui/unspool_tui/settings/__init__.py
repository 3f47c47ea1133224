"""What a person can set: where it is said, who says it, and what of it cannot be used.

The file is read before the screen, or a verb, begins. Both are given one frozen value, and never look at it again.
"""
