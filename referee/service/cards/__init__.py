"""What a card does, and where it is in the game that the question comes from."""
