"""Tables from the lobby on: opened, joined, begun, their seats offered and taken over."""
