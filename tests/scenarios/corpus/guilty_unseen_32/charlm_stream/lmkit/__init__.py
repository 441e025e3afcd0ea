from .data import StreamBatcher
from .nets import CharGRU
from .optim import AdaLite
from .runner import StreamRunner

__version__ = "0.4.2"
__all__ = ["StreamBatcher", "CharGRU", "AdaLite", "StreamRunner"]
