from .core import Loom, plugin  # noqa: F401
