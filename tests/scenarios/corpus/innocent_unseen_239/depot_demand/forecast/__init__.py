from forecast.hooks import BestState, HookRunner, LossWindow
from forecast.model import DepotNet
from forecast.session import Session

__all__ = ["BestState", "HookRunner", "LossWindow", "DepotNet", "Session"]
