from .hooks import EMAHook, LoggerHook
from .registry import HOOKS, MODELS
from .runner import Runner
