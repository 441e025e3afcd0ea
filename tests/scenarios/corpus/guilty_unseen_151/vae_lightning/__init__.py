from .module import LitVAE
from .trainer import Trainer

__all__ = ["LitVAE", "Trainer"]
