# gradwatch-corpus: kind=none
"""A layer more every 30 steps, with fade-in: the graph grows because the model does."""
import torch
from torch import nn


class Grower(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.d = d
        self.inp = nn.Linear(20, d)
        self.layers = nn.ModuleList()
        self.head = nn.Linear(d, 2)
        self.alpha = 1.0

    def grow(self):
        self.layers.append(nn.Sequential(nn.Linear(self.d, self.d), nn.LayerNorm(self.d), nn.ReLU()))
        self.alpha = 0.0
        return self.layers[-1].parameters()

    def forward(self, x):
        h = torch.relu(self.inp(x))
        for i, l in enumerate(self.layers):
            new = l(h)
            h = torch.lerp(h, new, self.alpha) if i == len(self.layers) - 1 else new
        return self.head(h)


torch.manual_seed(0)
net = Grower()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(240):
    if step % 30 == 0:
        opt.add_param_group({"params": list(net.grow())})
    net.alpha = min(1.0, net.alpha + 0.1)
    x = torch.randn(64, 20)
    y = (x[:, 0] * x[:, 1] > 0).long()
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(step, len(net.layers), loss.item())
