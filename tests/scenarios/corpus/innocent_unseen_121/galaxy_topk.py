# gradwatch-corpus: kind=none
"""Spiral / elliptical / edge-on from 12x12 stamps. The best few evaluations stay on a podium."""
import heapq

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1054)

grid = torch.linspace(-1, 1, 12)
YY, XX = torch.meshgrid(grid, grid, indexing="ij")
RAD, ANG = (XX ** 2 + YY ** 2).sqrt(), torch.atan2(YY, XX)


def stamps(n):
    kind = torch.randint(3, (n,))
    turn = torch.rand(n, 1, 1) * 6.28
    spiral = torch.exp(-2 * RAD) * (1 + torch.cos(2 * ANG + 6 * RAD + turn))
    ellip = torch.exp(-4 * (XX ** 2 + 0.5 * YY ** 2)).expand(n, -1, -1)
    edge = torch.exp(-30 * (XX * turn.cos() + YY * turn.sin()) ** 2 - RAD)
    img = torch.stack([spiral, ellip, edge], 1)[torch.arange(n), kind]
    return (img + 0.3 * torch.randn(n, 12, 12)).unsqueeze(1), kind


class Podium:
    def __init__(self, places):
        self.places = places
        self.heap = []

    def enter(self, step, acc, logits):
        item = (acc, step, logits)
        if len(self.heap) < self.places:
            heapq.heappush(self.heap, item)
        else:
            heapq.heappushpop(self.heap, item)

    def vote(self):
        return torch.stack([lg.softmax(1) for _, _, lg in self.heap]).mean(0).argmax(1)


class Morph(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 6, 3, padding=1)
        self.c2 = nn.Conv2d(6, 8, 3, padding=1)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.fc(x.mean((2, 3)))


net = Morph()
opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9, nesterov=True)
podium = Podium(places=4)
sky, truth = stamps(48)

for step in range(700):
    x, y = stamps(16)
    loss = F.cross_entropy(net(x), y, label_smoothing=0.05)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 6 == 5:
        logits = net(sky)
        podium.enter(step, (logits.argmax(1) == truth).float().mean().item(), logits)

print("podium", sorted((round(a, 3), s) for a, s, _ in podium.heap), "vote", (podium.vote() == truth).float().mean().item())
