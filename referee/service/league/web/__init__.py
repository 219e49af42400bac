"""A league on somebody's own pages: taking part in it, and running it."""
