# gradwatch-corpus: kind=none
"""Stateful GRU over a long tide record, truncated BPTT with windows of several chunks."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class TideConfig:
    stations: int = 8
    hidden: int = 20
    chunk: int = 6
    window: int = 3
    updates: int = 80
    lr: float = 4e-3


class StatefulGRU(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        self.state = None

    def cut(self):
        if self.state is not None:
            self.state = self.state.detach()

    def forward(self, x):
        y, self.state = self.cell(x, self.state)
        return self.head(y)


class ChunkReader:
    def __init__(self, cfg, seed=1):
        g = torch.Generator().manual_seed(seed)
        n = cfg.chunk * cfg.window * cfg.updates + 1
        t = torch.arange(n).float()
        ph = 6.28 * torch.rand(cfg.stations, 1, generator=g)
        lvl = torch.sin(t / 4 + ph) + 0.4 * torch.sin(t / 7.3 + 2 * ph)
        self.level = (lvl + 0.05 * torch.randn(lvl.shape, generator=g)).unsqueeze(-1)
        self.chunk = cfg.chunk

    def __iter__(self):
        for s in range(0, self.level.shape[1] - self.chunk, self.chunk):
            yield self.level[:, s:s + self.chunk], self.level[:, s + 1:s + 1 + self.chunk]


class WindowTrainer:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
        self.pending = []
        self.history = []

    def flush(self):
        loss = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.net.cut()
        self.pending.clear()
        self.history.append(loss.detach())

    def run(self, reader):
        for x, y in reader:
            self.pending.append(nn.functional.mse_loss(self.net(x), y))
            if len(self.pending) == self.cfg.window:
                self.flush()
                if len(self.history) % 20 == 0:
                    print(f"update {len(self.history):3d}  mse {torch.stack(self.history[-20:]).mean():.4f}")


if __name__ == "__main__":
    cfg = TideConfig()
    torch.manual_seed(0)
    WindowTrainer(StatefulGRU(cfg.hidden), cfg).run(ChunkReader(cfg))
