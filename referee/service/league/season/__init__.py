"""A season round by round: what is drawn, opened, put off and closed, and how long it will take."""
