from .encoder import FrameEncoder

__all__ = ["FrameEncoder"]
