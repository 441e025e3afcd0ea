from tasks.base import TASKS, Task
from tasks import completion, like  # noqa: F401

__all__ = ["TASKS", "Task"]
