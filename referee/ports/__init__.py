"""The contract between the referee and its adapters: what comes in, what goes out.

An adapter is a thin pipe.  It knows a wire protocol and no game.  Whatever arrives it
hands over as `Inbound`, and acknowledges to the wire only after `Reception.receive`
has returned, because then it is on disk.  Whatever must go out reaches it as a
`Letter`, already worded and escaped for this channel, and is answered by a
`Receipt`.  Adapters import this package and nothing else of the referee.
"""

from .adapter import Adapter, Finding, Limits, Paced, Reachable
from .apps import AppVerifier, VerifiedAccount
from .inbound import HEAD_BYTES, Inbound, What, unread
from .letters import Attachment, Button, Fate, Letter, Picture, Receipt
from .push import PushSubscription, subscription_of
from .reception import Reception, bring, reading
from .web import AppEntry, Live, Monitor, OwnPages, Pages, Served, Stream, Visitor

__all__ = [
    "HEAD_BYTES",
    "Adapter",
    "AppEntry",
    "AppVerifier",
    "Attachment",
    "Button",
    "Fate",
    "Finding",
    "Inbound",
    "Letter",
    "Limits",
    "Live",
    "Monitor",
    "OwnPages",
    "Paced",
    "Pages",
    "Picture",
    "PushSubscription",
    "Reachable",
    "Receipt",
    "Reception",
    "Served",
    "Stream",
    "VerifiedAccount",
    "Visitor",
    "What",
    "bring",
    "reading",
    "subscription_of",
    "unread",
]
