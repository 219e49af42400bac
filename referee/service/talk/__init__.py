"""What players say to each other through the referee."""
