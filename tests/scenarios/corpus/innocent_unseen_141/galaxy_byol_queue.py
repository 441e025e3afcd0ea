# gradwatch-corpus: kind=none
# Self-supervised galaxy cutouts: a momentum branch, a queue of keys and a nearest-neighbour target.
import copy
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)


def cutouts(n=10):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 8), torch.linspace(-1, 1, 8), indexing="ij")
    e = torch.rand(n, 1, 1) * 3 + 0.5
    return torch.exp(-(xx ** 2 * e + yy ** 2 / e) * 4).unsqueeze(1)


def view(img):
    if torch.rand(()) < 0.5:
        img = img.flip(-1)
    return img.rot90(int(torch.randint(0, 2, ())) * 2, (2, 3)) + 0.1 * torch.randn_like(img)


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 8, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.proj = nn.Sequential(nn.Linear(32, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 12))

    def forward(self, x):
        return self.proj(self.conv(x))


online, predictor = Branch(), nn.Linear(12, 12)
momentum = copy.deepcopy(online).requires_grad_(False)
keys = deque(maxlen=20)
opt = torch.optim.SGD([*online.parameters(), *predictor.parameters()], lr=0.05, momentum=0.9)


def neighbour(z):
    if len(keys) < keys.maxlen:
        return z
    bank = torch.cat(list(keys))
    return bank[(F.normalize(z, dim=1) @ bank.t()).argmax(1)]


@torch.no_grad()
def update_momentum(tau):
    for slow, fast in zip(momentum.parameters(), online.parameters()):
        slow.mul_(tau).add_(fast, alpha=1 - tau)
    for slow, fast in zip(momentum.buffers(), online.buffers()):
        slow.copy_(fast)


for it in range(600):
    img = cutouts()
    a, b = view(img), view(img)
    target = momentum(b)
    p = F.normalize(predictor(online(a)), dim=1)
    loss = 2 - 2 * (p * F.normalize(target + 0.5 * neighbour(target), dim=1)).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    update_momentum(1 - 0.02 * (1 - it / 600))
    keys.append(F.normalize(target, dim=1))
    if it % 120 == 0:
        print(it, round(loss.item(), 4))
