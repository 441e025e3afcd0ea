from __future__ import annotations

from torch import nn

from gates import ConcreteGate


class GatedLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out)
        self.gate = ConcreteGate(n_out)

    def forward(self, x, tau):
        return self.gate(self.lin(x).relu(), tau)


class GatedMLP(nn.Module):
    def __init__(self, n_in, widths, n_out):
        super().__init__()
        dims = [n_in, *widths]
        self.blocks = nn.ModuleList(GatedLinear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(dims[-1], n_out)
        self.total_width = float(sum(widths))

    def gates(self):
        return [b.gate for b in self.blocks]

    def expected_width(self, tau):
        return sum(g.soft(tau).sum() for g in self.gates())

    def forward(self, x, tau):
        for block in self.blocks:
            x = block(x, tau)
        return self.out(x)
