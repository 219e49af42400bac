"""Calendars of a person's deadlines."""
