"""The seats of a table that a season planned: opening it, who is missing there, and who plays instead."""
