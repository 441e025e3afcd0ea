# gradwatch-corpus: kind=none
"""
Stateful GRU over several parallel energy-meter streams with HF Accelerate. The hidden state is
carried between windows; gradients reach at most `reach` windows back.
"""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


@dataclass
class Config:
    streams: int = 8
    window: int = 6
    reach: int = 3
    windows: int = 480
    epochs: int = 2
    hidden: int = 24
    lr: float = 3e-3
    seed: int = 5


class MeterStreams(Dataset):
    def __init__(self, cfg):
        n = cfg.windows * cfg.window + 1
        t = torch.arange(n).float()
        daily = torch.sin(2 * torch.pi * t / 24)[:, None]
        weekly = torch.sin(2 * torch.pi * t / 168)[:, None]
        gain = 0.5 + torch.rand(1, cfg.streams)
        walk = 0.02 * torch.randn(n, cfg.streams).cumsum(0).clamp(-20, 20)
        self.x = gain * daily + 0.4 * weekly + walk + 0.05 * torch.randn(n, cfg.streams)
        self.w = cfg.window

    def __len__(self):
        return (len(self.x) - 1) // self.w

    def __getitem__(self, i):
        s = i * self.w
        return self.x[s:s + self.w], self.x[s + 1:s + self.w + 1]


class StatefulGRU(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(1, hidden)
        self.head = nn.Linear(hidden, 1)
        self.h = None

    def forward(self, x):
        y, self.h = self.gru(x.unsqueeze(-1), self.h)
        return self.head(y).squeeze(-1)

    def cut(self):
        if self.h is not None:
            self.h = self.h.detach()

    def reset(self):
        self.h = None


def run(cfg):
    set_seed(cfg.seed)
    accelerator = Accelerator(cpu=True)
    loader = DataLoader(MeterStreams(cfg), batch_size=1, shuffle=False)
    model = StatefulGRU(cfg.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    model, opt, loader = accelerator.prepare(model, opt, loader)
    core = accelerator.unwrap_model(model)

    curve, updates = [], 0
    for epoch in range(cfg.epochs):
        core.reset()
        pending = 0.0
        for i, (x, y) in enumerate(loader):
            loss = F.smooth_l1_loss(model(x[0]), y[0])
            pending = pending + loss
            curve.append(loss.detach())
            if (i + 1) % cfg.reach == 0:
                accelerator.backward(pending / cfg.reach)
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
                core.cut()
                pending = 0.0
                updates += 1
        recent = torch.stack(curve[-len(loader):]).mean()
        accelerator.print(f"epoch {epoch} updates {updates} loss {recent:.4f}")
    if core.h is not None:
        accelerator.print("state norm", round(core.h.norm().item(), 3))


if __name__ == "__main__":
    run(Config())
