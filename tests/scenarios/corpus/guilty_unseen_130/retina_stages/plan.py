from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Stage:
    title: str
    steps: int
    lr: float
    frozen_to: Optional[str] = None


SCHEDULE = (
    Stage("everything", 110, 1e-3),
    Stage("deep half", 100, 5e-4, frozen_to="stem"),
    Stage("classifier", 90, 1e-4, frozen_to="stage3"),  # <- culprit
)


def apply_stage(net, stage):
    net.requires_grad_(True)
    if stage.frozen_to is None:
        return net
    for label, part in net.named_children():
        for w in part.parameters():
            w.requires_grad = False  # <- culprit
        if label == stage.frozen_to:
            break
    return net
