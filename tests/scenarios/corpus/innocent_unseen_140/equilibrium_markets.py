# gradwatch-corpus: kind=none
"""Clearing prices as a fixed point, differentiated implicitly through a hook on the equilibrium."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(29)

GOODS, FEATURES = 6, 5


def iterate(f, z, tol=1e-5, limit=40):
    for n in range(limit):
        new = f(z)
        if (new - z).norm() < tol * (1 + z.norm()):
            return new, n
        z = new
    return z, limit


class Market(nn.Module):
    def __init__(self):
        super().__init__()
        self.cross = nn.Linear(GOODS, GOODS, bias=False)
        self.shock = nn.Linear(FEATURES, GOODS)
        self.handle = None
        self.sweeps = [0, 0]
        nn.init.orthogonal_(self.cross.weight, 0.6)

    def tatonnement(self, z, x):
        return torch.tanh(0.8 * self.cross(z) + self.shock(x))

    def forward(self, x):
        with torch.no_grad():
            z, self.sweeps[0] = iterate(lambda z: self.tatonnement(z, x), torch.zeros(len(x), GOODS))
        z = self.tatonnement(z, x)
        if not torch.is_grad_enabled():
            return z
        z0 = z.detach().requires_grad_()
        f0 = self.tatonnement(z0, x)

        def adjoint(grad):
            if self.handle is not None:
                self.handle.remove()
                self.handle = None
            pull = lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad
            g, self.sweeps[1] = iterate(pull, grad)
            return g

        self.handle = z.register_hook(adjoint)
        return z


teacher = Market()
with torch.no_grad():
    for p in teacher.parameters():
        p.mul_(1.2)


def trading_days(n, size=8):
    for _ in range(n):
        x = torch.randn(size, FEATURES)
        with torch.no_grad():
            cleared = teacher(x)
        yield x, cleared + 0.01 * torch.randn(size, GOODS)


market = Market()
opt = torch.optim.Adam(market.parameters(), lr=4e-3)
for day, (x, prices) in enumerate(trading_days(450)):
    loss = (market(x) - prices).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(market.parameters(), 1.0)
    opt.step()
    if day % 90 == 89:
        print(day + 1, f"{loss.item():.5f}", "sweeps forward/backward", market.sweeps)
