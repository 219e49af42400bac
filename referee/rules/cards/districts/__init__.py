"""Unique districts, one file each; `plain` is the table of the ordinary ones."""
