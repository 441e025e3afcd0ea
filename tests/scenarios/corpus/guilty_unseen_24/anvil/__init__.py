from .engine import Trainer  # noqa: F401
