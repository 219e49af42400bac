"""What leaves when: levels, quiet hours, the digest, and who can be reached."""
