"""What a season comes to: results of tables, points, places and brackets, and what is shown of them."""
