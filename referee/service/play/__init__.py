"""Orders become moves; records, rulings, and games that stand still."""
