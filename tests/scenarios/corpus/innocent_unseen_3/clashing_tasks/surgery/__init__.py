from . import projection, minnorm  # noqa: F401
from .registry import METHODS
