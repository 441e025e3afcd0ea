from contextlib import contextmanager
from dataclasses import dataclass, replace

import torch


@dataclass(frozen=True)
class StreamState:
    memory: torch.Tensor
    frames_seen: int = 0


class Slot:
    def __init__(self, state):
        self.state = state

    def advance(self, memory, frames):
        self.state = replace(  # <- culprit
            self.state,
            memory=memory,  # <- culprit
            frames_seen=self.state.frames_seen + frames,
        )


class SessionStore:
    """Keeps where each site's stream stopped, so that the next chunk goes on from there."""

    def __init__(self, lanes, width):
        self.shape = (lanes, width)
        self._states = {}

    @contextmanager
    def resume(self, site):
        state = self._states.get(site)
        if state is None:
            state = StreamState(torch.zeros(self.shape))
        slot = Slot(state)
        try:
            yield slot
        finally:
            self._states[site] = slot.state  # <- culprit

    def close(self, site):
        state = self._states.pop(site)
        print(f"{site}: closed after {state.frames_seen} frames")
