# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(15)


class SAM:
    """Climb to a worse nearby point, take the gradient there, step from where we were."""

    def __init__(self, params, base, rho=0.05, **kw):
        self.params = list(params)
        self.base = base(self.params, **kw)
        self.rho = rho

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self.shift = [self.rho * p.grad / norm for p in self.params]
        for p, e in zip(self.params, self.shift):
            p.add_(e)

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.shift):
            p.sub_(e)
        self.base.step()

    def step(self, loss_fn):
        first = loss_fn()
        first.backward()
        self.climb()
        self.base.zero_grad()
        second = loss_fn()
        second.backward()
        self.descend()
        self.base.zero_grad()
        self.gap = second - first
        return first


class Traits(nn.Module):
    def __init__(self, cards):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(c, 3) for c in cards)
        self.net = nn.Sequential(nn.Linear(3 * len(cards), 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, t):
        return self.net(torch.cat([e(t[:, i]) for i, e in enumerate(self.tables)], 1))


cards = (6, 4, 9, 3)
net = Traits(cards)
sam = SAM(net.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
for it in range(450):
    t = torch.stack([torch.randint(0, c, (32,)) for c in cards], 1)
    poison = ((t[:, 0] * t[:, 1] + t[:, 2]) % 3 == 0).long()
    loss = sam.step(lambda: nn.functional.cross_entropy(net(t), poison))
    if it % 90 == 0:
        print(it, f"{loss.item():.4f} gap {sam.gap.item():.5f}")
