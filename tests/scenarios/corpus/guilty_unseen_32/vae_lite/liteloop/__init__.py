"""liteloop - a few hundred lines less than the real thing."""
from .module import LiteModule
from .trainer import LiteTrainer

__all__ = ["LiteModule", "LiteTrainer"]
