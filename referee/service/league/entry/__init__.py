"""How a league and its seasons begin, and how people come into one and leave it."""
