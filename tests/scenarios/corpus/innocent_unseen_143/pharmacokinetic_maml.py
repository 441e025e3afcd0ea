# gradwatch-corpus: kind=none
"""Patient-specific drug clearance: an initialisation that adapts in three gradient steps (second order)."""
import torch
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(10)

INNER, RATE = 3, 0.1


class Concentration(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(1, 12)
        self.b = torch.nn.Linear(12, 1)

    def forward(self, t):
        return self.b(torch.tanh(self.a(t)))


def patient():
    ke, ka = 0.2 + 0.3 * torch.rand(()), 1.0 + torch.rand(())

    def curve(n):
        t = 8 * torch.rand(n, 1)
        return t / 8, ka / (ka - ke) * (torch.exp(-ke * t) - torch.exp(-ka * t))
    return curve


def adapt(net, t, c):
    fast = dict(net.named_parameters())
    for _ in range(INNER):
        err = (functional_call(net, fast, (t,)) - c).square().mean()
        grads = torch.autograd.grad(err, tuple(fast.values()), create_graph=True)
        fast = {k: v - RATE * g for (k, v), g in zip(fast.items(), grads)}
    return fast


net = Concentration()
meta = torch.optim.Adam(net.parameters(), lr=2e-3)
for it in range(450):
    outer = 0.0
    for _ in range(2):
        curve = patient()
        fast = adapt(net, *curve(5))
        t, c = curve(10)
        outer = outer + (functional_call(net, fast, (t,)) - c).square().mean()
    meta.zero_grad()
    outer.backward()
    meta.step()
    if it % 75 == 0:
        print(it, outer.item() / 2)
