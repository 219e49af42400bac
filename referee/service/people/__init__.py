"""Who speaks, what they may do, and how they are answered."""
