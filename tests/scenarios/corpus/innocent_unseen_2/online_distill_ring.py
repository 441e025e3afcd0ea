# gradwatch-corpus: kind=none
"""Deep mutual learning of two students; a ring of the last 3 logits (with graph) serves a joint term every 3rd batch."""
import torch
from torch import nn
import torch.nn.functional as F


class Ring:
    __slots__ = ("slots", "n")

    def __init__(self, k):
        self.slots, self.n = [None] * k, 0

    def put(self, item):
        self.slots[self.n % len(self.slots)] = item
        self.n += 1
        return self.n % len(self.slots) == 0

    def drain(self):
        out, self.slots = self.slots, [None] * len(self.slots)
        return out


torch.manual_seed(40)
mk = lambda h: nn.Sequential(nn.Linear(8, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 3))
a, b = mk(16), mk(32)
opt = torch.optim.Adam([*a.parameters(), *b.parameters()], lr=3e-3)
ring, shown = Ring(3), []
mu = torch.randn(3, 8)
for k in range(130 * 3):
    y = torch.randint(0, 3, (16,))
    x = mu[y] + torch.randn(16, 8)
    if not ring.put((a(x), b(x), y)):
        continue
    la, lb, ys = (torch.cat(v) for v in zip(*ring.drain()))
    mutual = F.kl_div(la.log_softmax(1), lb.softmax(1).detach(), reduction="batchmean") + F.kl_div(lb.log_softmax(1), la.softmax(1).detach(), reduction="batchmean")
    loss = F.cross_entropy(la, ys) + F.cross_entropy(lb, ys) + mutual
    opt.zero_grad()
    loss.backward()
    opt.step()
    shown.append((loss.detach(), mutual.detach()))
l, m = (torch.stack(v) for v in zip(*shown))
print("first", l[:10].mean().item(), "last", l[-10:].mean().item(), "mutual", m[-10:].mean().item())
