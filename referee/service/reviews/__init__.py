"""What cost somebody a game: their own decisions of a finished one, judged by the search of `strong`.

past      their decisions, and what they knew then      findings  what is kept of a judgement, the worst turns
judging   one decision after the other                  telling   the worst turns in words and pictures
"""
