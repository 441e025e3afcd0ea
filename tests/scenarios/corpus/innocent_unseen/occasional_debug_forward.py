# gradwatch-corpus: kind=none
"""Every 40 steps somebody looks at the model without no_grad; nothing is kept of it but numbers."""
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.router = nn.Linear(d, k)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d)) for _ in range(k))

    def forward(self, x, return_gates=False):
        g = self.router(x).softmax(-1)
        out = sum(g[:, i:i + 1] * e(x) for i, e in enumerate(self.experts))
        return (out, g) if return_gates else out


def inspect(model, probe):
    out, gates = model(probe, return_gates=True)
    return {"load": [round(v, 3) for v in gates.mean(0).tolist()], "norm": out.norm().item()}


torch.manual_seed(0)
moe, probe, notes = Gate(48, 3), torch.randn(64, 48), []
opt = torch.optim.Adam(moe.parameters(), 1e-3)
for step in range(200):
    x = torch.randn(48, 48)
    loss = (moe(x) - x.roll(1, 1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 40 == 0:
        notes.append(inspect(moe, probe))
        print(step, loss.item(), notes[-1])
