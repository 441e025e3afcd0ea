# gradwatch-corpus: kind=graph-held
# holder: hardest | Hardest.heap | hardest.heap | self.heap
# first-bad: 1
# notice: 8
import heapq
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)

T = 50
betas = torch.linspace(1e-4, 0.08, T)
abar = torch.cumprod(1 - betas, 0)


def two_moons(n):
    a = torch.rand(n) * math.pi
    flip = (torch.rand(n) < 0.5).float()
    x = torch.cos(a) * (1 - 2 * flip) + flip
    y = torch.sin(a) * (1 - 2 * flip) + 0.5 * flip
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


class EpsNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.time = nn.Embedding(T, width)
        self.inp = nn.Linear(2, width)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, t):
        return self.out(self.inp(x) + self.time(t))


class Hardest:
    """Timesteps ordered by how badly they were predicted."""

    def __init__(self):
        self.heap = []
        self.serial = 0

    def push(self, per_item, t):
        worst = int(per_item.argmax())
        self.serial += 1
        heapq.heappush(self.heap, (-float(per_item[worst]), self.serial, int(t[worst]), per_item))  # <- culprit

    def peek(self, k=3):
        return [(e[2], round(-e[0], 3)) for e in heapq.nsmallest(k, self.heap)]


net = EpsNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
hardest = Hardest()
for step in range(400):
    x0 = two_moons(48)
    t = torch.randint(0, T, (48,))
    eps = torch.randn_like(x0)
    xt = abar[t].sqrt()[:, None] * x0 + (1 - abar[t]).sqrt()[:, None] * eps
    per_item = (net(xt, t) - eps).pow(2).sum(1)
    loss = per_item.mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    hardest.push(per_item, t)
    if step % 100 == 99:
        print(step, f"{loss.item():.3f}", hardest.peek())
