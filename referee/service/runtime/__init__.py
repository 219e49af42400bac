"""The referee as one process, its health and its figures."""
