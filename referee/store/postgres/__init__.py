"""The database on PostgreSQL: for an installation that has outgrown one machine.

Any number of processes may have it open.

    opening            from an address to an open database
    connection         how a connection is made and set
    server_connection  the connection while there is one, and when it may be tried again
    pipeline           statements sent together
    dialect            types of columns as PostgreSQL has them
    schema             revision, migrations, under a lock
    transaction        what a job can do, on a connection
    statements         SQL that differs from SQLite's
    errors             PostgreSQL's errors as the store's
    commit_numbers     whether a commit whose answer was lost was made
    writer             jobs that change something, tried again
    reader             jobs that look
    notifier           LISTEN and NOTIFY between processes
    backup             pg_dump
    scratch            a backup unpacked into a database of its own
    copying            all of a SQLite file into an empty database
    compacting         room given back to the disk

A job is a plain function of its Tx here as well, and may be run several times: each run is a transaction of
its own, and all runs but the last leave nothing behind. Nothing in here is imported before an address asks
for it: psycopg is an extra.
"""
