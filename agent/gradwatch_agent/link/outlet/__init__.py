"""The agent's doors: where viewers come in, are told the past, and from then on each new frame.

Owns zmq on the agent's side: binding, keys, subscriptions, requests, and how many were nonsense
or refused. Must not know messages, threads or clocks: it moves bytes, and asks for the past by
callback.

A viewer subscribes to `TOPIC`, then to `KEYFRAME` plus a word of its own. The second is answered
on that very topic with everything the journal holds and a beat, in one multipart message, which
zmq delivers whole or not at all. What it misses it asks for in the same way (`REPLAY`), so that
one socket, one port and one forwarding are enough. Nothing here waits: to a viewer that does not
read, frames are dropped, and the numbers in them tell it so.
"""

from __future__ import annotations

from gradwatch_agent.link.outlet.door import Keyframe, Past
from gradwatch_agent.link.outlet.outlet import Deaf, Outlet

__all__ = ["Deaf", "Keyframe", "Outlet", "Past"]
