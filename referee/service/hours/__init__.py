"""Hours in which the people of a table can sit down live, and the one that they agree on."""
