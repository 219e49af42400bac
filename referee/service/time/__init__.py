"""Players' time: reminders, misses, vacations, and when the referee itself was at fault."""
