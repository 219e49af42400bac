"""What keeps a book safe for years: backups that are proven, restoring, and trying an upgrade on a copy.

auditing     one game, looked through          crew        all live games, over several processes
keeping      a backup, proven, the oldest gone restoring   a backup in its place
aftermath    what a restored book must not confuse         rehearsing  a copy, played on by bots
"""
