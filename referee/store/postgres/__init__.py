"""The book on PostgreSQL: for a house that has outgrown one machine.

Any number of processes may have it open.

    opening      from an address to an open book            dialect     kinds of columns as PostgreSQL has
      them
    connection   how a connection is made and set           schema      revision, migrations, under a lock
    transaction  the verbs on a connection                  errors      what PostgreSQL says, in the store's
      words
    statements   what is said otherwise than to SQLite      tickets     whether a commit whose answer was lost
      was made
    writer       jobs that change something, tried again    reader      jobs that look
    backup       pg_dump

A job is a plain function of its Tx here as well, and may be run several times: each run is a transaction of
its own, and all runs but the last leave nothing behind. Nothing in here is imported before an address asks
for it: psycopg is an extra.
"""
