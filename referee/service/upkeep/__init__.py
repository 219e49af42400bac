"""What keeps a database safe for years: backups that are proven, restoring, and trying an upgrade on a copy.

audit          one game, looked through
workers        all live games, over several processes
take_backup    a backup, proven, the oldest gone
restore        a backup in its place
after_restore  what a restored database must not confuse
try_upgrade    a copy, played on by bots
packing        games that are over become small
retention      what was said long ago is forgotten
due            both, a little at every sweep
"""
