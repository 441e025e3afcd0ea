# gradwatch-corpus: kind=second-backward
# holder: self.state | layer.state | net.layers[0].state | net.layers[1].state
# first-bad: 1
# notice: 0
# after: norse #130/#131 "Detached previous state variables": LIF state kept by the layer, second batch raises
"""Spiking keyword spotter: two LIF layers with surrogate gradients and a leaky readout."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class LIFParameters:
    tau_mem: float = 0.9
    tau_syn: float = 0.8
    v_th: float = 1.0
    slope: float = 10.0


class LIFState(NamedTuple):
    v: Tensor
    i: Tensor


class SuperSpike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad / (ctx.slope * x.abs() + 1.0) ** 2, None


class StatefulCell(nn.Module):
    """Remembers its state from call to call, so that a stimulus can be given step by step."""

    def __init__(self) -> None:
        super().__init__()
        self.state: Optional[LIFState] = None

    def initial_state(self, x: Tensor) -> LIFState:
        raise NotImplementedError

    def step(self, x: Tensor, state: LIFState) -> tuple[Tensor, LIFState]:
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        if self.state is None:
            self.state = self.initial_state(x)
        out, self.state = self.step(x, self.state)  # <- culprit
        return out


class LIFCell(StatefulCell):
    def __init__(self, n_in: int, n_out: int, p: LIFParameters) -> None:
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.n_out, self.p = n_out, p

    def initial_state(self, x):
        zero = x.new_zeros(x.shape[0], self.n_out)
        return LIFState(zero, zero)

    def step(self, x, state):
        i = self.p.tau_syn * state.i + self.fc(x)
        v = self.p.tau_mem * state.v + (1 - self.p.tau_mem) * i
        z = SuperSpike.apply(v - self.p.v_th, self.p.slope)
        return z, LIFState(v * (1 - z.detach()), i)


class SpikingNet(nn.Module):
    def __init__(self, n_in: int, n_hidden: int, n_out: int) -> None:
        super().__init__()
        p = LIFParameters(v_th=0.3)
        self.layers = nn.ModuleList([LIFCell(n_in, n_hidden, p), LIFCell(n_hidden, n_hidden, p)])
        self.readout = nn.Linear(n_hidden, n_out)

    def forward(self, spikes: Tensor) -> Tensor:
        """spikes: (batch, time, channels)"""
        total = 0
        for x in spikes.unbind(1):
            for layer in self.layers:
                x = layer(x)
            total = total + self.readout(x)
        return total / spikes.shape[1]

    def reset(self) -> None:
        for layer in self.layers:
            layer.state = None


def spike_trains(n: int, classes: int, time: int, channels: int) -> TensorDataset:
    g = torch.Generator().manual_seed(0)
    y = torch.randint(0, classes, (n,), generator=g)
    rates = 0.5 * torch.rand(classes, time, channels, generator=g) ** 2
    return TensorDataset((torch.rand(n, time, channels, generator=g) < rates[y]).float(), y)


def main() -> None:
    torch.manual_seed(0)
    loader = DataLoader(spike_trains(640, 5, 20, 40), batch_size=32, shuffle=True, drop_last=True)
    net = SpikingNet(40, 64, 5)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(5):
        net.reset()
        hits = 0
        for spikes, label in loader:
            optimizer.zero_grad()
            logits = net(spikes)
            loss = nn.functional.cross_entropy(logits, label)
            loss.backward()
            optimizer.step()
            hits += (logits.argmax(1) == label).sum().item()
        print(f"epoch {epoch}: accuracy {hits / 640:.3f}")


if __name__ == "__main__":
    main()
