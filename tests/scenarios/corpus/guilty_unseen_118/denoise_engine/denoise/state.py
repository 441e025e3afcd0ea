from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class EpochState:
    epoch: int
    outputs: dict
    seen: int = 0
    extra: dict = field(default_factory=dict)


class StateFactory:
    """Builds the state of each epoch from one set of defaults."""

    def __init__(self, track=()):
        self.track = tuple(track)
        self.defaults = {"seen": 0, "outputs": defaultdict(list)}  # <- culprit

    def __call__(self, epoch):
        return EpochState(epoch=epoch, **self.defaults)  # <- culprit
