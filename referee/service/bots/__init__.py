"""Bots that think long: one queue of their questions, one process in which they think."""
