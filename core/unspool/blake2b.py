"""BLAKE2b without OpenSSL, which `hashlib` brings along: to load that takes longer than all that is digested first."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # not every Python has the module that `hashlib` itself takes it from
    from hashlib import blake2b

__all__ = ["blake2b"]
