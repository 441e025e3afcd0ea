# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


class Lookahead(torch.optim.Optimizer):
    def __init__(self, inner, k=5, alpha=0.5):
        self.inner, self.k, self.alpha, self.count = inner, k, alpha, 0
        self.param_groups, self.state, self.defaults = inner.param_groups, inner.state, inner.defaults
        self.slow = [[p.detach().clone() for p in g["params"]] for g in inner.param_groups]

    def zero_grad(self, *a, **k):
        self.inner.zero_grad(*a, **k)

    def step(self, closure=None):
        out = self.inner.step(closure)
        self.count += 1
        if self.count % self.k == 0:
            for g, slows in zip(self.param_groups, self.slow):
                for p, s in zip(g["params"], slows):
                    s.add_(p.data - s, alpha=self.alpha)
                    p.data.copy_(s)
        return out


class TwoTower(nn.Module):
    def __init__(self, users=30, items=50, d=8):
        super().__init__()
        self.u, self.i = nn.Embedding(users, d), nn.Embedding(items, d)

    def score(self, u, i):
        return (self.u(u) * self.i(i)).sum(-1)


truth = torch.randn(30, 3) @ torch.randn(3, 50)
model = TwoTower()
opt = Lookahead(torch.optim.Adam(model.parameters(), 2e-2))
for it in range(700):
    u = torch.randint(0, 30, (32,))
    i, j = torch.randint(0, 50, (2, 32))
    sign = (truth[u, i] - truth[u, j]).sign()
    bpr = -nn.functional.logsigmoid(sign * (model.score(u, i) - model.score(u, j))).mean()
    opt.zero_grad()
    bpr.backward()
    opt.step()
    if it % 175 == 0:
        print(it, f"{bpr.item():.3f}")
