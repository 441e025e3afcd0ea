# gradwatch-corpus: kind=none
"""Supply matching: an entropic transport loss whose potentials start where the last batch of that region ended."""
import torch
from torch import nn

torch.manual_seed(57)
torch.set_num_threads(1)


class Transport:
    def __init__(self, eps=0.3, iters=15):
        self.eps, self.iters = eps, iters
        self.potentials = {}
        self.plans = {}

    def __call__(self, region, a, b):
        cost = torch.cdist(a, b).square()
        f, g = self.potentials.get(region, (torch.zeros(len(a)), torch.zeros(len(b))))
        la, lb = -torch.log(torch.tensor(float(len(a)))), -torch.log(torch.tensor(float(len(b))))
        for _ in range(self.iters):
            f = self.eps * (la - torch.logsumexp((g[None] - cost) / self.eps, 1))
            g = self.eps * (lb - torch.logsumexp((f[:, None] - cost) / self.eps, 0))
        plan = ((f[:, None] + g[None] - cost) / self.eps).exp()
        self.potentials[region] = f.detach(), g.detach()
        self.plans[region] = plan
        return (plan * cost).sum()

    def settle(self):
        """Imbalance between the regions' plans since the last call."""
        rows = torch.stack([p.sum(1) for p in self.plans.values()])
        self.plans = {}
        return rows.var(0).sum()


def region_batch(r, n=14):
    gen = torch.randn(n, 2)
    return gen, torch.randn(n, 2) * 0.3 + torch.tensor([float(r), 1.0])


mover = nn.Sequential(nn.Linear(3, 20), nn.SiLU(), nn.Linear(20, 2))
opt = torch.optim.Adam(mover.parameters(), lr=5e-3)
transport = Transport()
for step in range(110):
    loss = 0.0
    for r in range(3):
        src, dst = region_batch(r)
        moved = src + mover(torch.cat([src, torch.full((len(src), 1), float(r))], 1))
        loss = loss + transport(r, moved, dst)
    loss = loss / 3 + 0.1 * transport.settle()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 22 == 21:
        print(step, f"{loss.item():.4f}")
