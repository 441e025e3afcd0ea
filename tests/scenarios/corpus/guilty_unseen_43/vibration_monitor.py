# gradwatch-corpus: kind=graph-chain
# holder: self.trace | model.trace | self.memory.trace | model.memory.trace | self.model.memory.trace
# first-bad: 1
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class MonitorConfig:
    channels: int = 6
    units: int = 24
    decay: float = 0.85
    chunk: int = 16
    n_chunks: int = 100
    lr: float = 5e-3
    report: list = field(default_factory=lambda: [25, 50, 75, 100])


class LeakyMemory(nn.Module):
    """Leaky integrator over projected chunks of the stream."""

    def __init__(self, d_in, units, decay):
        super().__init__()
        self.proj = nn.Linear(d_in, units)
        self.decay = decay
        self.trace = None

    def reset(self):
        self.trace = None

    def forward(self, chunk):
        drive = self.proj(chunk).mean(dim=0)
        if self.trace is None:
            self.trace = drive  # <- culprit
        else:
            self.trace = self.decay * self.trace + drive  # <- culprit
        return self.trace


class Monitor(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.memory = LeakyMemory(cfg.channels, cfg.units, cfg.decay)
        self.readout = nn.Sequential(nn.Tanh(), nn.Linear(cfg.units, cfg.units), nn.ReLU(),
                                     nn.Linear(cfg.units, cfg.channels))

    def forward(self, chunk):
        return self.readout(self.memory(chunk))


class Bearing:
    """Chunked signal and, for each chunk, the energy of the next one."""

    def __init__(self, cfg, seed=9):
        g = torch.Generator().manual_seed(seed)
        total = cfg.chunk * (cfg.n_chunks + 1)
        t = torch.arange(total)[:, None] * 0.11
        phase = torch.rand(cfg.channels, generator=g) * 6.28
        slow = 1 + 0.5 * torch.sin(t * 0.05 + phase)
        sig = slow * torch.sin(t + phase) + 0.1 * torch.randn(total, cfg.channels, generator=g)
        self.chunks = sig.split(cfg.chunk)

    def __iter__(self):
        for cur, nxt in zip(self.chunks[:-1], self.chunks[1:]):
            yield cur, nxt.pow(2).mean(0)


class OnlineTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Monitor(cfg)
        self.optim = torch.optim.RMSprop(self.model.parameters(), lr=cfg.lr)
        self.loss_fn = nn.MSELoss()
        self.curve = []

    def update(self, chunk, energy):
        self.optim.zero_grad()
        loss = self.loss_fn(self.model(chunk), energy)
        loss.backward(retain_graph=True)  # <- culprit
        self.optim.step()
        return loss.item()

    def run(self, stream):
        self.model.memory.reset()
        for k, (chunk, energy) in enumerate(stream, 1):
            self.curve.append(self.update(chunk, energy))
            if k in self.cfg.report:
                recent = self.curve[-25:]
                print(f"chunk {k}: mse {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    torch.manual_seed(3)
    cfg = MonitorConfig()
    OnlineTrainer(cfg).run(Bearing(cfg))
