"""Words: reading what a person types, and writing what a person reads.

`reading` turns a message into orders of the rules or commands to the referee; `rendering`
turns views and events into letters.  Both speak from one folder of templates per language.
Neither ever sees the state of a game.
"""
