"""What every room stands on: the unit of work, the outbox, tokens, counters. It names no capability."""
