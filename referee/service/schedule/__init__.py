"""The scheduler: deadlines ring, and where several processes share one database they agree on the hour."""
