# gradwatch-corpus: kind=graph-chain
# holder: _memory.get() | _memory | state.memory | self.state.memory | self.memory
# first-bad: 1
"""River level from rainfall, read in short chunks of one long record."""
from contextvars import ContextVar
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

_memory = ContextVar("memory", default=None)


@dataclass
class RunConfig:
    chunk: int = 4
    stations: int = 8
    hidden: int = 20
    chunks: int = 72
    lr: float = 0.03
    backward_args: tuple = (("retain_graph", True),)


class PlainMomentum(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.8, trust=0.02):
        super().__init__(params, dict(lr=lr, momentum=momentum, trust=trust))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                scale = group["trust"] * (p.data.norm() + 1e-3) / (p.grad.norm() + 1e-6)
                buf.mul_(group["momentum"]).add_(p.grad * scale.clamp(max=1.0))
                p.data.add_(buf, alpha=-group["lr"])


class RiverState:
    """What the catchment remembers between two chunks."""

    def __init__(self, stations, hidden):
        self.shape = (stations, hidden)

    @property
    def memory(self):
        value = _memory.get()
        return torch.zeros(self.shape) if value is None else value  # <- culprit

    @memory.setter
    def memory(self, value):
        _memory.set(value)  # <- culprit


class RiverNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.state = RiverState(cfg.stations, cfg.hidden)
        self.cell = nn.GRUCell(2, cfg.hidden)
        self.gauge = nn.Linear(cfg.hidden, 1)

    def forward(self, rain):
        h, levels = self.state.memory, []  # <- culprit
        for drop in rain:
            h = self.cell(drop, h)
            levels.append(self.gauge(h).squeeze(-1))
        self.state.memory = h  # <- culprit
        return torch.stack(levels)


def record(cfg):
    soil = torch.zeros(cfg.stations)
    for _ in range(cfg.chunks):
        rain = torch.rand(cfg.chunk, cfg.stations, 2).pow(3)
        level = []
        for drop in rain:
            soil = 0.85 * soil + drop[:, 0]
            level.append(soil - 0.3 * drop[:, 1])
        yield rain, torch.stack(level)


class Trainer:
    def __init__(self, net, opt, cfg):
        self.net, self.opt, self.cfg = net, opt, cfg
        self.mean = 0.0

    def optimise(self, loss):
        self.opt.zero_grad()
        loss.backward(**dict(self.cfg.backward_args))
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()

    def run(self):
        for i, (rain, level) in enumerate(record(self.cfg)):
            loss = F.mse_loss(self.net(rain), level)
            self.optimise(loss)
            self.mean += (loss.item() - self.mean) / (i + 1)
            if i % 12 == 0:
                print(f"chunk {i:3d}  loss {loss.item():.4f}  mean {self.mean:.4f}")


def main():
    torch.manual_seed(4)
    cfg = RunConfig()
    net = RiverNet(cfg)
    Trainer(net, PlainMomentum(net.parameters(), cfg.lr), cfg).run()


if __name__ == "__main__":
    main()
