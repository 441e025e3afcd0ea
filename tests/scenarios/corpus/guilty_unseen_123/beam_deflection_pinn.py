# gradwatch-corpus: kind=graph-held
# holder: x.grad | points.grad | xs.grad | p.grad
# first-bad: 1
# notice: 60
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)


class Beam(nn.Module):
    """Slope of a loaded beam: u'(x) = q(x), u(0) = 0, solved by a small net."""

    def __init__(self, width=12):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return x * self.inner(x)


def slope(u, x):
    u.sum().backward(create_graph=True)  # <- culprit
    return x.grad


def load(x):
    return torch.cos(3 * x) + 0.5


def main():
    beam = Beam()
    opt = torch.optim.Adam(beam.parameters(), lr=4e-3)
    for it in range(400):
        xs = torch.rand(20, 1, requires_grad=True)
        du = slope(beam(xs), xs)
        opt.zero_grad()
        residual = (du - load(xs.detach())).square().mean()
        residual.backward()
        opt.step()
        if it % 100 == 99:
            print(it + 1, residual.item())


main()
