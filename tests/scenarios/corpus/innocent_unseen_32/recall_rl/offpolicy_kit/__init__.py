from .buffers import RecallBuffer, Replay
from .tracking import EpochHistory, Polyak

__all__ = ["RecallBuffer", "Replay", "EpochHistory", "Polyak"]
