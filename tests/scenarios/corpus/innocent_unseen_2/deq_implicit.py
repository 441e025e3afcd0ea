# gradwatch-corpus: kind=none
"""Deep equilibrium layer: fixed point without grad, implicit differentiation by a backward hook."""
import torch
from torch import nn

torch.manual_seed(24)


class DEQ(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.W = nn.Linear(d, d)
        self.U = nn.Linear(d, d)
        with torch.no_grad():
            self.W.weight.mul_(0.4)
        self.hook = None
        self.z0 = None

    def f(self, z, x):
        return torch.tanh(self.W(z) + self.U(x))

    def forward(self, x, iters=8):
        with torch.no_grad():
            z = self.z0 if self.z0 is not None and self.z0.shape == x.shape else torch.zeros_like(x)
            for _ in range(iters):
                z = self.f(z, x)
        z = self.f(z, x)
        self.z0 = z.detach()
        if self.training:
            zc = z.clone().detach().requires_grad_()
            fz = self.f(zc, x)

            def backward_hook(g):
                self.hook.remove()
                u = g
                for _ in range(iters):
                    u = torch.autograd.grad(fz, zc, u, retain_graph=True)[0] + g
                return u
            self.hook = z.register_hook(backward_hook)
        return z


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.deq, self.out = nn.Linear(6, 16), DEQ(16), nn.Linear(16, 1)

    def forward(self, x):
        return self.out(self.deq(self.inp(x)))


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for i in range(130):
    x = torch.randn(32, 6)
    loss = (net(x) - (x[:, :1] * x[:, 1:2])).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 26 == 0:
        print(i, "%.4f" % loss.item())
