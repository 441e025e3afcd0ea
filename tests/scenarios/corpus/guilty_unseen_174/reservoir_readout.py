# gradwatch-corpus: kind=graph-chain
# holder: self.state | reservoir.state | self.reservoir.state | fitter.reservoir.state
# first-bad: 1
"""Echo-state style forecaster: a leaky random reservoir with an online-trained linear readout."""
import argparse
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class EsnConfig:
    inputs: int = 2
    units: int = 64
    lanes: int = 8
    leak: float = 0.3
    radius: float = 0.9
    chunk: int = 4
    steps: int = 420
    lr: float = 5e-3


class SignalStream:
    """Lanes of coupled sines, delivered in consecutive chunks."""

    def __init__(self, cfg, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(cfg.lanes, cfg.inputs, generator=g) * 2 * math.pi
        self.freq = 0.05 + 0.2 * torch.rand(cfg.lanes, cfg.inputs, generator=g)
        self.cfg = cfg
        self.t = 0

    def next_chunk(self):
        ts = torch.arange(self.t, self.t + self.cfg.chunk + 1, dtype=torch.float32)
        self.t += self.cfg.chunk
        wave = torch.sin(ts[:, None, None] * self.freq + self.phase)
        return wave[:-1], wave[1:]


class StatefulModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.state = None

    def cell(self, x, state):
        raise NotImplementedError

    def initial(self, x):
        raise NotImplementedError

    def forward(self, xs):
        state = self.state if self.state is not None else self.initial(xs[0])
        outs = []
        for x in xs:
            state = self.cell(x, state)
            outs.append(state)
        self.state = state  # <- culprit
        return torch.stack(outs)


class LeakyReservoir(StatefulModule):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.w_in = nn.Linear(cfg.inputs, cfg.units)
        self.w_rec = nn.Linear(cfg.units, cfg.units, bias=False)
        with torch.no_grad():
            w = torch.randn(cfg.units, cfg.units)
            self.w_rec.weight.copy_(w * cfg.radius / torch.linalg.eigvals(w).abs().max())

    def initial(self, x):
        return x.new_zeros(x.shape[0], self.cfg.units)

    def cell(self, x, state):
        new = torch.tanh(self.w_in(x) + self.w_rec(state))
        return (1 - self.cfg.leak) * state + self.cfg.leak * new


class ReadoutFitter:
    def __init__(self, cfg):
        self.cfg = cfg
        self.reservoir = LeakyReservoir(cfg)
        self.readout = nn.Linear(cfg.units, cfg.inputs)
        self.opt = torch.optim.Adam(self.readout.parameters(), lr=cfg.lr)

    def step(self, xs, ys):
        feats = self.reservoir(xs)  # <- culprit
        loss = (self.readout(feats) - ys).pow(2).mean()
        self.opt.zero_grad()
        loss.backward(inputs=list(self.readout.parameters()))
        self.opt.step()
        return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=420)
    cfg = EsnConfig(steps=parser.parse_args().steps)
    torch.manual_seed(3)
    stream = SignalStream(cfg, seed=3)
    fitter = ReadoutFitter(cfg)
    avg = None
    for step in range(cfg.steps):
        value = fitter.step(*stream.next_chunk())
        avg = value if avg is None else 0.95 * avg + 0.05 * value
        if step % 70 == 0:
            print(f"{step:4d} mse {value:.4f} avg {avg:.4f}")


if __name__ == "__main__":
    main()
