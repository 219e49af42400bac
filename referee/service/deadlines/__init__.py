"""Deadlines as rows, and what a table knows of its clocks."""
