from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Mapping

import torch


@dataclass(frozen=True)
class StepFinished:
    number: int
    values: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        frozen = {k: v.detach() if torch.is_tensor(v) else v for k, v in self.values.items()}
        object.__setattr__(self, "values", frozen)


class EventBus:
    def __init__(self):
        self._listeners = defaultdict(list)

    def listen(self, kind, fn):
        self._listeners[kind].append(fn)

    def emit(self, event):
        for fn in self._listeners[type(event)]:
            fn(event)
