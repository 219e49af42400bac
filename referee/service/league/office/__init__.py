"""What is said to those who run a league, and what they do: read, allowed or refused, done, written down."""
