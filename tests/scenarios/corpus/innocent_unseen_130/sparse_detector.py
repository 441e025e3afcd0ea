# gradwatch-corpus: kind=none
"""Detector on mostly empty tiles; a tile group without any object gives no step."""
from collections import deque
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(25)


class TileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(2, 8, 3, padding=1)
        self.b = nn.Conv2d(8, 3, 1)

    def forward(self, x):
        return self.b(F.relu(self.a(x)))


def tiles(n=4):
    x = torch.randn(n, 2, 10, 10) * 0.3
    where = torch.rand(n, 10, 10) < 0.004
    x[:, 0][where] += 2
    return x, where


net = TileNet()
opt = torch.optim.Adam(net.parameters(), 2e-3)
recent = deque(maxlen=12)
skipped = 0
features = {}
net.a.register_forward_hook(lambda m, i, o: features.__setitem__("a", o.detach()))
for it in range(1500):
    x, where = tiles()
    out = net(x)
    total = torch.zeros(())
    for o, w in zip(out, where):
        if w.any():
            pick = o[:, w]
            total = total + F.softplus(-pick[0]).mean() + pick[1:].square().mean() + F.softplus(o[0][~w]).mean()
    if not total.requires_grad:
        skipped += 1
        continue
    opt.zero_grad()
    total.backward()
    opt.step()
    recent.append(total)
    if it % 300 == 0:
        print(it, torch.stack(list(recent)).mean().item(), skipped, features["a"].abs().mean().item())
print("skipped", skipped)
