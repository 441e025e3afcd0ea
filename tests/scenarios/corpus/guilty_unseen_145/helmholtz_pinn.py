# gradwatch-corpus: kind=second-backward
# holder: balance.lam | self.lam
# first-bad: 1
# notice: 0
"""1-D Helmholtz PINN with gradient-statistics weighting of the boundary term (after Wang, Teng & Perdikaris)."""
import math

import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
torch.manual_seed(10)

k = math.pi


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class GradientBalance:
    def __init__(self, net, every=10, alpha=0.9):
        self.ref = net[-1].weight
        self.every, self.alpha = every, alpha
        self.lam = torch.tensor(1.0)

    def __call__(self, step, loss_r, loss_b):
        if step % self.every == 0:
            top = d(loss_r, self.ref).abs().max()
            bottom = d(loss_b, self.ref).abs().mean()
            self.lam = self.alpha * self.lam + (1 - self.alpha) * top / (bottom + 1e-8)  # <- culprit
        return loss_r + self.lam * loss_b


u = mlp(1, 20, 20, 1)
balance = GradientBalance(u)
adam = torch.optim.Adam(u.parameters(), lr=1e-3)
for step in range(300):
    x = torch.rand(40, 1, requires_grad=True)
    ux = u(x)
    residual = d(d(ux, x), x) + k ** 2 * ux
    ends = torch.tensor([[0.0], [1.0]])
    bc = u(ends) - torch.tensor([[0.0], [0.0]])
    slope_pt = torch.zeros(1, 1, requires_grad=True)
    loss_b = (bc ** 2).mean() + (d(u(slope_pt), slope_pt) - k).pow(2).mean()
    loss = balance(step, (residual ** 2).mean(), loss_b)
    adam.zero_grad()
    loss.backward()
    adam.step()
    print(step, loss.item())
