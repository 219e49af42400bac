"""What an admin of the installation may do, said in private on any channel (`admin …`) or from the command
line: the same words, the same code.

`commands` has the words and who may say them, `console` the command line as one who speaks; `inspect` shows
one table, `lists` many; `repair` puts right what went wrong, `blocking` listens to an address no more,
`table_places` says where a table lives; `figures` tells how the installation does.
"""
