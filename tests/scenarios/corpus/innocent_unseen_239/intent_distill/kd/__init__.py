from kd.callbacks import CallbackList, EmaTeacher, EpochReport
from kd.loop import Loop
from kd.model import IntentNet

__all__ = ["CallbackList", "EmaTeacher", "EpochReport", "Loop", "IntentNet"]
