from abc import ABC
from abc import abstractmethod
from dataclasses import dataclass
from dataclasses import field
from itertools import islice
from typing import Optional

import torch


@dataclass
class EnhanceConfig:
    seed: int = 11
    bins: int = 32
    width: int = 40
    batch: int = 6
    chunk: int = 3
    steps: int = 70
    lr: float = 2e-3
    clip: float = 1.0
    backward_kwargs: dict = field(default_factory=lambda: {"retain_graph": True})


class Carry:
    def __init__(self):
        self.hidden: Optional[torch.Tensor] = None

    def store(self, hidden):
        self.hidden = hidden  # <- culprit

    def load(self, fallback):
        if self.hidden is None:
            return fallback
        return self.hidden  # <- culprit


class StreamSession:
    def __init__(self, stream, cfg):
        self.stream = stream
        self.carry = Carry()
        self.frames = 0
        self.cfg = cfg

    def batches(self):
        for noisy, clean in islice(self.stream, self.cfg.steps):
            self.frames += noisy.size(0) * noisy.size(1)
            yield noisy, clean


class Engine(ABC):
    def __init__(self, model, optimizer, session, cfg):
        self.model = model
        self.optimizer = optimizer
        self.session = session
        self.cfg = cfg
        self.last_loss = float("nan")

    @abstractmethod
    def compute(self, batch):
        ...

    def run(self):
        for batch in self.session.batches():
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.compute(batch)
            loss.backward(**self.cfg.backward_kwargs)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            self.optimizer.step()
            self.last_loss = loss.item()
        return {"frames": self.session.frames, "loss": self.last_loss}


class EnhanceEngine(Engine):
    def compute(self, batch):
        noisy, clean = batch
        start = self.session.carry.load(self.model.initial(noisy.size(0)))
        masks, hidden = self.model(noisy, start)
        self.session.carry.store(hidden)  # <- culprit
        estimate = masks * noisy
        return torch.nn.functional.l1_loss(estimate, clean)
