"""Which threads train. Pure.

Torch changes a thread's tensors without Python's lock; to look at them from another thread
meanwhile is to read freed memory. So what trains in one thread is looked at by that one alone.
"""

from __future__ import annotations

threads: set[int] = set()
"""Identities of the threads that called the autograd engine; a process has one such set."""
