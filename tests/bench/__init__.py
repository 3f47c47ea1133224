"""Measurements, which print figures and assert nothing: `make bench` takes those with goals, others run by hand."""
