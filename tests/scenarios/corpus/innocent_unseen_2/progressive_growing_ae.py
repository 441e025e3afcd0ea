# gradwatch-corpus: kind=none
"""Autoencoder that gets a new level every 40 iterations; the newcomer is faded in."""
import torch
from torch import nn

torch.manual_seed(11)


class Grow(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.enc, self.dec = nn.ModuleList(), nn.ModuleList()
        self.d, self.alpha = d, 1.0
        self.grow()

    def grow(self):
        self.enc.append(nn.Linear(self.d, self.d))
        self.dec.append(nn.Linear(self.d, self.d))
        self.alpha = 0.0 if len(self.enc) > 1 else 1.0
        return [*self.enc[-1].parameters(), *self.dec[-1].parameters()]

    def forward(self, x):
        skips = []
        for k, e in enumerate(self.enc):
            y = torch.tanh(e(x))
            x = y if k < len(self.enc) - 1 else self.alpha * y + (1 - self.alpha) * x
            skips.append(x)
        for d in reversed(self.dec):
            x = d(torch.tanh(x)) + 0.1 * skips.pop()
        return x


net = Grow()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for it in range(200):
    if it and it % 40 == 0:
        opt.add_param_group({"params": net.grow()})
    net.alpha = min(1.0, net.alpha + 0.05)
    x = torch.randn(24, 4) @ torch.ones(4, 16).tril() + 0.1 * torch.randn(24, 16)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 40 == 39:
        print(it + 1, len(net.enc), "%.4f" % loss.item())
