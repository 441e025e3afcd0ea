from .attention import RelativeAttention

__all__ = ["RelativeAttention"]
__version__ = "0.3.1"
