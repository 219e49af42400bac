"""Plans at a table: filed, shown, carried out."""
