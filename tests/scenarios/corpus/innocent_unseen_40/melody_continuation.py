# gradwatch-corpus: kind=none
import logging
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
logger = logging.getLogger("melody")


@dataclass
class MelodyConfig:
    pitches: int = 24
    dim: int = 20
    batch: int = 12
    steps: int = 120
    start_len: int = 4
    grow_every: int = 4
    lr: float = 5e-3
    history: int = 25


class LengthSchedule:
    def __init__(self, start, every):
        self.start, self.every = start, every

    def __call__(self, step):
        return self.start + step // self.every


class MelodyCollate:
    """Cuts the tunes to the length that the schedule allows now."""

    def __init__(self, schedule):
        self.schedule = schedule
        self.step = 0

    def __call__(self, tunes):
        n = self.schedule(self.step) + 1
        self.step += 1
        return torch.stack([t[:n] for t in tunes])


class ScalesDataset(torch.utils.data.Dataset):
    def __init__(self, n, length, pitches):
        root = torch.randint(0, pitches, (n, 1))
        stride = torch.randint(1, 4, (n, 1))
        self.tunes = (root + stride * torch.arange(length)) % pitches

    def __len__(self):
        return len(self.tunes)

    def __getitem__(self, i):
        return self.tunes[i]


class MelodyNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.emb = nn.Embedding(c.pitches, c.dim)
        self.cell = nn.GRUCell(c.dim, c.dim)
        self.out = nn.Linear(c.dim, c.pitches)
        self.state = nn.Parameter(torch.zeros(c.dim))
        self.trace = []

    def forward(self, notes):
        self.trace = []
        h = self.state.expand(notes.size(0), -1)
        for t in range(notes.size(1)):
            h = self.cell(self.emb(notes[:, t]), h)
            self.trace.append(h)
        return self.out(torch.stack(self.trace, dim=1))


class Engine:
    def __init__(self, c):
        self.c = c
        self.net = MelodyNet(c)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=c.lr)
        self.recent = deque(maxlen=c.history)

    def smoothness(self):
        states = torch.stack(self.net.trace)
        return (states[1:] - states[:-1]).pow(2).mean()

    def step(self, tunes):
        logits = self.net(tunes[:, :-1])
        nll = nn.functional.cross_entropy(logits.flatten(0, 1), tunes[:, 1:].flatten())
        loss = nll + 0.01 * self.smoothness()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.recent.append(nll.detach())

    def run(self, loader):
        for i, tunes in enumerate(loader, 1):
            self.step(tunes)
            if i % 30 == 0:
                logger.info("step %d  length %d  nll %.3f", i, tunes.size(1) - 1,
                            torch.stack(list(self.recent)).mean().item())


if __name__ == "__main__":
    torch.manual_seed(37)
    cfg = MelodyConfig()
    tunes = ScalesDataset(cfg.batch * cfg.steps, 64, cfg.pitches)
    collate = MelodyCollate(LengthSchedule(cfg.start_len, cfg.grow_every))
    Engine(cfg).run(torch.utils.data.DataLoader(tunes, cfg.batch, shuffle=True, collate_fn=collate))
