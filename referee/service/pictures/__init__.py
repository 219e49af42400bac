"""Pictures in letters: what they show, and how they become PNG."""
