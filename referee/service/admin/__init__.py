"""What an admin of the installation may do, said in private on any channel (`admin …`) or from the command
line: the same words, the same code.

wishes which word does what, and who may console the command line as one who speaks looking one table, without
hidden cards or with housing rooms, the archive, tables that stand still mending letters and messages that
went wrong blocking addresses that are not listened to listing lists of games, letters, messages … figures how
the installation does filling what letters are made from
"""
