"""Work that may take too long, eat memory or break, done in a process of its own that may die: pictures are
drawn there, and mails of strangers read.

    worker    our side: begins the process, asks it, ends it, begins it anew
    inside    its side: answers one question after the other, within limits that the kernel keeps

What goes between them is bytes, each message with its length before it.
"""
