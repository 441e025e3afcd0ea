# gradwatch-corpus: kind=graph-chain
# holder: self.v | self.hidden.v | net.hidden.v
# first-bad: 1
# also: retain-needless
# after: LinZhu111/EVSNN issue 6 "Question: prev_mem_states & register_memory" (only the last layer's states are detached)
"""Optical-flow magnitude from an event camera: a spiking network over a continuous stream.

The sensor stream is never cut, so the membrane potentials live on from one window to the next.
"""
import math
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Cfg:
    pixels: int = 64
    hidden: int = 48
    out: int = 2
    bins: int = 4
    streams: int = 8
    windows: int = 80
    beta: float = 0.9
    lr: float = 2e-3
    reset: str = "subtract"
    tags: list = field(default_factory=lambda: ["indoor", "synthetic"])


class FastSigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return (u > 0).to(u.dtype)

    @staticmethod
    def backward(ctx, g):
        (u,) = ctx.saved_tensors
        return g / (1.0 + 10.0 * u.abs()) ** 2


class MemoryModule(nn.Module):
    """Base of all neurons with state."""

    def __init__(self):
        super().__init__()
        self.v = None

    def reset(self):
        self.v = None

    def detach_state(self):
        if self.v is not None:
            self.v = self.v.detach()


class LIF(MemoryModule):
    def __init__(self, n_in, n_out, beta, threshold=1.0):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        nn.init.normal_(self.fc.weight, std=1.2 / math.sqrt(n_in))
        self.beta, self.threshold = beta, threshold

    def forward(self, x):
        current = self.fc(x)
        v = current if self.v is None else self.beta * self.v + current
        spike = FastSigmoid.apply(v - self.threshold)
        self.v = v - self.threshold * spike.detach()  # <- culprit
        return spike


class Readout(MemoryModule):
    def __init__(self, n_in, n_out, beta):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.beta = beta

    def forward(self, s):
        inc = self.fc(s)
        self.v = inc if self.v is None else self.beta * self.v + inc
        return self.v


class FlowSNN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.hidden = LIF(cfg.pixels, cfg.hidden, cfg.beta)
        self.readout = Readout(cfg.hidden, cfg.out, cfg.beta)

    def forward(self, window):
        rates, out = [], None
        for events in window.unbind(0):
            spikes = self.hidden(events)
            rates.append(spikes.mean())
            out = self.readout(spikes)
        return out, torch.stack(rates).mean()

    def next_window(self):
        self.readout.detach_state()  # <- culprit


def sensor(cfg):
    gen = torch.Generator().manual_seed(11)
    angle = torch.zeros(cfg.streams)
    px = torch.linspace(0, 2 * math.pi, cfg.pixels)
    for _ in range(cfg.windows):
        speed = torch.rand(cfg.streams, generator=gen)
        frames = []
        for _ in range(cfg.bins):
            angle = angle + speed
            rate = 0.5 + 0.5 * torch.sin(px + angle[:, None])
            frames.append(torch.bernoulli(rate, generator=gen))
        yield torch.stack(frames), torch.stack([angle.cos(), angle.sin()], 1) * speed[:, None]


def main(cfg=Cfg()):
    torch.manual_seed(0)
    net = FlowSNN(cfg)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    smooth = None
    for k, (window, flow) in enumerate(sensor(cfg)):
        out, rate = net(window)
        loss = (out - flow).pow(2).mean() + 0.1 * (rate - 0.15) ** 2
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        opt.step()
        net.next_window()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if k % 20 == 19:
            print(f"window {k + 1}: {smooth:.4f} rate {rate.item():.3f}")


if __name__ == "__main__":
    main()
