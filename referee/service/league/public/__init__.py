"""What of leagues strangers may read: pages, calendars, files, and the seasons that are over."""
