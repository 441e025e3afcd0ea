# gradwatch-corpus: kind=graph-chain
# holder: shift.memory | self.memory | pump.shift.memory | record.memory
# first-bad: 1
# notice: 5
from dataclasses import dataclass, replace

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


@dataclass(frozen=True)
class Shift:
    hour: int
    memory: torch.Tensor

    def advance(self, memory):
        return replace(self, hour=self.hour + 1, memory=memory)  # <- culprit


class Reservoir(nn.Module):
    """Fixed random dynamics driven by a trained encoder."""

    def __init__(self, inputs, size, leak=0.3):
        super().__init__()
        w = torch.randn(size, size)
        self.register_buffer("dyn", 0.9 * w / torch.linalg.eigvals(w).abs().max())
        self.encode = nn.Linear(inputs, size)
        self.leak = leak

    def forward(self, memory, x):
        return torch.lerp(memory, torch.tanh(memory @ self.dyn + self.encode(x)), self.leak)


class PumpForecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.core = Reservoir(4, 24)
        self.read = nn.Linear(24, 2)

    def blank(self, lanes):
        return Shift(0, torch.zeros(lanes, 24))

    def forward(self, shift, x):
        nxt = shift.advance(self.core(shift.memory, x))
        return nxt, self.read(nxt.memory)


class Stream:
    def __init__(self, lanes):
        self.lanes, self.t = lanes, 0

    def __next__(self):
        self.t += 1
        base = torch.sin(torch.arange(4) + self.t * 0.2)
        x = base + 0.1 * torch.randn(self.lanes, 4)
        return x, torch.stack([base[0] * base[1], base[2]]).expand(self.lanes, 2)

    def __iter__(self):
        return self


class Pump:
    def __init__(self, lanes=3):
        self.net = PumpForecaster()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.stream = Stream(lanes)
        self.shift = self.net.blank(lanes)

    def hour(self):
        x, y = next(self.stream)
        self.shift, guess = self.net(self.shift, x)
        loss = (guess - y).square().mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()


pump = Pump()
trace = [pump.hour() for _ in range(260)]
print(pump.shift.hour, sum(trace[-20:]) / 20)
