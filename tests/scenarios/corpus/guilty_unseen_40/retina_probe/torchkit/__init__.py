from .registry import REGISTRY, build, register
from . import balancing

__all__ = ["REGISTRY", "build", "register", "balancing"]
