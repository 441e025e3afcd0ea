from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class FitStart:
    optimizer: torch.optim.Optimizer


@dataclass(frozen=True)
class StepBegin:
    step: int
    optimizer: torch.optim.Optimizer


@dataclass(frozen=True)
class StepEnd:
    step: int
    loss: torch.Tensor
    lr: float


@dataclass(frozen=True)
class FitEnd:
    steps: int
