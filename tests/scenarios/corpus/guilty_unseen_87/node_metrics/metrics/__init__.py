from .registry import build
from .tracker import MetricTracker
from . import scalar  # noqa: F401  (fills the registry)

__all__ = ["build", "MetricTracker"]
