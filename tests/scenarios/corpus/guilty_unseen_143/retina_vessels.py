# gradwatch-corpus: kind=graph-held
# holder: taps["neck"] | taps
# first-bad: 1
# notice: 8
# Vessel segmentation on toy fundus patches. Channel statistics of the bottleneck are reported at the end.
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2024)


class TinySeg(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, padding=1)
        self.neck = nn.Conv2d(4, 8, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, im):
        s = F.relu(self.stem(im))
        n = F.relu(self.neck(s))
        return self.out(torch.cat([s, self.up(n)], 1))


def patches(n):
    yy, xx = torch.meshgrid(torch.arange(12.), torch.arange(12.), indexing="ij")
    ang = torch.rand(n, 1, 1) * 3.14
    dist = (torch.cos(ang) * (xx - 6) + torch.sin(ang) * (yy - 6)).abs()
    mask = (dist < 1.2).float()
    return (mask * 0.6 + 0.2 * torch.randn(n, 12, 12)).unsqueeze(1), mask.unsqueeze(1)


def tap(name, store):
    def record(_module, _inp, out):
        store[name].append(out.mean(dim=(0, 2, 3)))  # <- culprit
    return record


def dice(logit, mask):
    p = torch.sigmoid(logit)
    inter = (p * mask).sum()
    return 1 - (2 * inter + 1) / (p.sum() + mask.sum() + 1)


taps = defaultdict(list)
net = TinySeg()
net.neck.register_forward_hook(tap("neck", taps))
sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

for epoch in range(12):
    running = 0.0
    for _ in range(25):
        im, mask = patches(4)
        pred = net(im)
        loss = dice(pred, mask) + F.binary_cross_entropy_with_logits(pred, mask)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        running += loss.item()
    print(f"epoch {epoch:2d}  loss {running / 25:.4f}")

table = torch.stack([t.detach() for t in taps["neck"]])
print("bottleneck drift per channel:", (table[-25:].mean(0) - table[:25].mean(0)).tolist())
