"""What a table or those in charge of it decide: votes, pauses, rewinds, seats."""
