from .meters import AverageMeter, MeterGroup

__version__ = "0.3.1"
__all__ = ["AverageMeter", "MeterGroup"]
