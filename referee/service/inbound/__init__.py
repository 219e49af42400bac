"""The way of a message: received, weighed, written down, dispatched."""
