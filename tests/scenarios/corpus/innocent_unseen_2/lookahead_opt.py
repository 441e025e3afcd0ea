# gradwatch-corpus: kind=none
from collections import defaultdict

import torch
from torch import nn


class Lookahead:
    """k steps forward, one step back; slow weights live in self.state."""

    def __init__(self, base, k=5, alpha=0.5):
        self.base, self.k, self.alpha = base, k, alpha
        self.state = defaultdict(dict)
        self.n = 0
        for p in self._params():
            self.state[p]["slow"] = p.detach().clone()

    def _params(self):
        return (p for g in self.base.param_groups for p in g["params"])

    def zero_grad(self):
        self.base.zero_grad(set_to_none=True)

    @torch.no_grad()
    def _sync(self):
        for p in self._params():
            s = self.state[p]["slow"]
            s.lerp_(p, self.alpha)
            p.copy_(s)

    def step(self, closure=None):
        loss = self.base.step(closure)
        self.n += 1
        if self.n % self.k == 0:
            self._sync()
        return loss


torch.manual_seed(20)
net = nn.Sequential(nn.Linear(4, 24), nn.Mish(), nn.Linear(24, 1))
opt = Lookahead(torch.optim.RAdam(net.parameters(), lr=5e-3))
best, best_state, bad = 1e9, None, 0
xv = torch.randn(200, 4)
yv = (xv.prod(1) + xv.sum(1)).tanh()
for i in range(200):
    x = torch.randn(64, 4)
    y = (x.prod(1) + x.sum(1)).tanh()
    opt.zero_grad()
    loss = (net(x).squeeze(1) - y).square().mean()
    loss.backward()
    opt.step()
    if i % 10 == 9:
        with torch.no_grad():
            v = (net(xv).squeeze(1) - yv).square().mean()
        if v < best:
            best, best_state, bad = v, {k: t.clone() for k, t in net.state_dict().items()}, 0
        else:
            bad += 1
        if bad > 6:
            print("early stop at", i)
            break
net.load_state_dict(best_state)
print("best", best.item())
