"""The tests, with the factories that they share."""
