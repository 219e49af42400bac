"""A person's accounts on several channels: joined by a yes at both, and parted again."""
