"""Scan and match over columns and raw bytes; knows no view."""
