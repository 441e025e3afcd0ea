from .hooks import recording
from .stats import summarize

__all__ = ["recording", "summarize"]
