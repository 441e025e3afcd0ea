# gradwatch-corpus: kind=none
"""Deep equilibrium layer with an implicit-gradient hook (as in the DEQ tutorial)."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(57)


def fixed_point(f, z, iters=12, tol=1e-4):
    for _ in range(iters):
        nxt = f(z)
        if (nxt - z).norm() < tol * (1 + z.norm()):
            return nxt
        z = nxt
    return z


class DEQ(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.W = nn.Linear(d, d, bias=False)
        self.U = nn.Linear(d, d)
        nn.init.orthogonal_(self.W.weight, gain=0.5)
        self.n_backward_iters = 0

    def cell(self, z, x):
        return torch.tanh(self.W(z) + self.U(x))

    def forward(self, x):
        with torch.no_grad():
            z = fixed_point(lambda z: self.cell(z, x), torch.zeros_like(x))
        z = self.cell(z, x)
        if torch.is_grad_enabled():
            z0 = z.detach().requires_grad_()
            f0 = self.cell(z0, x.detach())

            def implicit(grad):
                def vjp(g):
                    self.n_backward_iters += 1
                    return torch.autograd.grad(f0, z0, g, retain_graph=True)[0] + grad
                return fixed_point(vjp, grad)

            z.register_hook(implicit)
        return z


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.deq, self.out = nn.Linear(6, 10), DEQ(10), nn.Linear(10, 3)

    def forward(self, x):
        return self.out(self.deq(self.inp(x)))


M = torch.randn(6, 3)
net = Classifier()
opt = torch.optim.Adam(net.parameters(), 3e-3)
for it in range(420):
    x = torch.randn(16, 6)
    loss = nn.functional.cross_entropy(net(x), (x @ M).argmax(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 105 == 0:
        print(it, f"{loss.item():.3f}", net.deq.n_backward_iters)
