"""Tests of the app, without a terminal."""
