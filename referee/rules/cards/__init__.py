"""One file a card.  Cards know the flow and the seams, never each other."""
