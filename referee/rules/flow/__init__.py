"""How a game runs: round > call > turn > build > question.  No card is named here."""
