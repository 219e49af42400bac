"""The pages: for everybody, and a person's own."""
