"""The way of a letter: worded when its channel is ready, sent, its fate noted."""
