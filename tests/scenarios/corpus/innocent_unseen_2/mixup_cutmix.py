# gradwatch-corpus: kind=none
# mixup / cutmix / plain, chosen at random per batch; counts kept per kind
import random
from collections import Counter, defaultdict
import torch
from torch import nn

random.seed(30)
torch.manual_seed(30)
beta = torch.distributions.Beta(0.4, 0.4)


def mixup(x, y):
    lam, p = beta.sample().item(), torch.randperm(len(x))
    return lam * x + (1 - lam) * x[p], (y, y[p], lam)


def cutmix(x, y):
    p = torch.randperm(len(x))
    a = random.randint(1, 6)
    x = x.clone()
    x[:, :, :a, :a] = x[p][:, :, :a, :a]
    return x, (y, y[p], 1 - a * a / 64)


def plain(x, y):
    return x, (y, y, 1.0)


net = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.GroupNorm(3, 12), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Conv2d(12, 12, 3), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(48, 4))
opt = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
t = torch.randn(4, 1, 8, 8)
n, last = Counter(), defaultdict(float)
for it in range(140):
    y = torch.randint(0, 4, (24,))
    x = t[y] + torch.randn(24, 1, 8, 8)
    f = random.choice([mixup, cutmix, plain])
    x, (ya, yb, lam) = f(x, y)
    out = net(x)
    ce = nn.functional.cross_entropy
    loss = lam * ce(out, ya) + (1 - lam) * ce(out, yb)
    opt.zero_grad(set_to_none=False)
    loss.backward()
    opt.step()
    n[f.__name__] += 1
    last[f.__name__] = loss.item()
print(dict(n), dict(last))
