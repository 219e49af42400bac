"""Imitations of mail programs that answer a letter of ours: see `programs`."""
