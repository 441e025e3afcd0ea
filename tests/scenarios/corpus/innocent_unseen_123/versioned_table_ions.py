# gradwatch-corpus: kind=none
# Ion-channel gating; the learned voltage table is rebuilt only after the weights have moved (their version tells).
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(280)


class VoltageTable(nn.Module):
    def __init__(self, bins=16, gates=3):
        super().__init__()
        self.mid = nn.Parameter(torch.linspace(-1, 1, gates))
        self.slope = nn.Parameter(torch.ones(gates))
        self.register_buffer("grid", torch.linspace(-2, 2, bins))
        self._key, self._table = None, None

    def table(self):
        key = (self.mid._version, self.slope._version, torch.is_grad_enabled())
        if key != self._key:
            self._table = torch.sigmoid((self.grid[:, None] - self.mid) * self.slope.exp())
            self._key = key
        return self._table

    def forward(self, volts):
        idx = torch.bucketize(volts, self.grid).clamp(max=len(self.grid) - 1)
        return self.table()[idx]


class Channel(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = VoltageTable()
        self.conduct = nn.Linear(3, 1)

    def forward(self, volts):
        return self.conduct(self.gates(volts)).squeeze(-1) * volts


def recordings(n=30):
    v = 4 * torch.rand(n) - 2
    return v, torch.sigmoid(3 * v) * v


channel = Channel()
opt = torch.optim.Adam(channel.parameters(), lr=5e-3)
for i in range(1, 1501):
    parts = []
    for _ in range(3):
        v, current = recordings()
        parts.append((channel(v) - current).square().mean())
    loss = sum(parts)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 375 == 0:
        with torch.no_grad():
            v, current = recordings(200)
            print(i, f"{(channel(v) - current).abs().mean().item():.4f}")
