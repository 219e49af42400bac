"""The league office: who runs a league, what is said to it, and what it does by its own clock
(docs/admins/leagues.md).
"""
