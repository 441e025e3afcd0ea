from dataclasses import dataclass, field

import torch


@dataclass
class RecurrentState:
    h: torch.Tensor
    c: torch.Tensor

    @classmethod
    def zeros(cls, batch, width):
        return cls(torch.zeros(batch, width), torch.zeros(batch, width))

    def as_pair(self):
        return self.h, self.c

    def cut(self):
        return RecurrentState(self.h.detach(), self.c.detach())


@dataclass
class Ledger:
    pending: list = field(default_factory=list)
    curve: list = field(default_factory=list)

    def owe(self, loss):
        self.pending.append(loss)

    def settle(self):
        total = torch.stack(self.pending).mean()
        self.pending.clear()
        return total

    def __len__(self):
        return len(self.pending)
