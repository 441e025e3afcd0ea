# gradwatch-corpus: kind=none
"""TRADES-like training: PGD in input space, then a clean and a robust term."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(26)


def pgd(model, x, y, eps=0.3, alpha=0.1, k=3):
    delta = torch.empty_like(x).uniform_(-eps, eps)
    trail = []
    for _ in range(k):
        delta.requires_grad_(True)
        loss = F.cross_entropy(model(x + delta), y)
        g, = torch.autograd.grad(loss, delta)
        trail.append(loss)
        delta = (delta + alpha * g.sign()).clamp(-eps, eps).detach()
    return x + delta, trail


model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3, 2), nn.ReLU(), nn.Flatten(), nn.Linear(72, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
tmpl = torch.randn(3, 1, 9, 9)
for it in range(120):
    y = torch.randint(0, 3, (16,))
    x = tmpl[y] + 0.5 * torch.randn(16, 1, 9, 9)
    xa, trail = pgd(model, x, y)
    clean = model(x)
    rob = F.kl_div(F.log_softmax(model(xa), 1), clean.softmax(1), reduction="batchmean")
    loss = F.cross_entropy(clean, y) + 2 * rob
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 30 == 0:
        print(it, "%.3f" % loss.item(), "attack", [round(t.item(), 3) for t in trail])
