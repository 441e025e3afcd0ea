from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor

from model import TideCell
from optim import PlainMomentum


@dataclass
class Link:
    """One step of the recurrence: a leaf going in, a graph tensor coming out."""

    entry: Tensor
    exit: Tensor


class WindowedTrainer:
    def __init__(self, cell: TideCell, opt: PlainMomentum, k: int) -> None:
        self.cell, self.opt, self.k = cell, opt, k
        self.links: deque[Link] = deque(maxlen=k)

    def _advance(self, x: Tensor) -> Tensor:
        previous = self.links[-1].exit if self.links else self.cell.initial(len(x))
        entry = previous.detach().requires_grad_()
        out, h = self.cell(x, entry)
        self.links.append(Link(entry, h))
        return out

    def _send_back(self) -> None:
        chain = list(self.links)
        for later, earlier in zip(reversed(chain), reversed(chain[:-1])):
            grad, later.entry.grad = later.entry.grad, None
            earlier.exit.backward(grad, retain_graph=True)
        chain[0].entry.grad = None

    def step(self, x: Tensor, target: Tensor) -> float:
        loss = F.mse_loss(self._advance(x), target)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self._send_back()
        self.opt.step()
        return loss.item()
