from dataclasses import dataclass, field

import torch
import torch.nn.functional as F


@dataclass
class Window:
    tiles: int
    losses: list = field(default_factory=list)

    def add(self, loss):
        self.losses.append(loss)
        return len(self.losses) == self.tiles

    def close(self):
        total = torch.stack(self.losses).mean()
        self.losses.clear()
        return total


class StreamSession:
    def __init__(self, net, window, lr):
        self.net, self.window = net, window
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.strand = None
        self.updates = 0
        self.log = []

    def feed(self, bases, exon, fresh):
        if fresh:
            self.strand = self.net.start(bases.shape[1])
        logits, self.strand = self.net(bases, self.strand)
        if self.window.add(F.binary_cross_entropy_with_logits(logits, exon)):
            self._update(self.window.close())

    def _update(self, loss):
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.strand = self.strand.map(torch.Tensor.detach)
        self.updates += 1
        self.log.append(round(loss.item(), 4))
        if self.updates % 80 == 0:
            print(f"update {self.updates} loss {loss.item():.4f}")
