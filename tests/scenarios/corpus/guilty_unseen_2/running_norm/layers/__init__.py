from .stream_norm import StreamNorm

__all__ = ["StreamNorm"]
