"""The first game, its lessons, and who has had which."""
