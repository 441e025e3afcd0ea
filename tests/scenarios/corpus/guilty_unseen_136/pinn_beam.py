# gradwatch-corpus: kind=graph-held
# holder: x.grad | pts.grad
# first-bad: 1
# notice: 8
"""Physics-informed net for a loaded string: u'' = -q(x), u(0) = u(1) = 0."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class Ansatz(nn.Module):
    def __init__(self, width=14):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                  nn.Linear(width, 1))

    def forward(self, x):
        return self.body(x)


def load(x):
    return torch.sin(3.1416 * x) * 9.87


def exact(x):
    return torch.sin(3.1416 * x)


def slope(net, x):
    u = net(x)
    u.sum().backward(create_graph=True)  # <- culprit
    return u, x.grad


def interior_residual(net, n):
    pts = torch.rand(n, 1, requires_grad=True)
    _, u_x = slope(net, pts)
    u_xx, = torch.autograd.grad(u_x.sum(), pts, create_graph=True)
    return (u_xx + load(pts)).pow(2).mean()


def boundary_residual(net):
    ends = torch.tensor([[0.0], [1.0]])
    return net(ends).pow(2).mean()


class Schedule:
    """Linear ramp of the boundary weight."""

    def __init__(self, lo, hi, steps):
        self.lo, self.hi, self.steps = lo, hi, steps

    def __call__(self, i):
        return self.lo + (self.hi - self.lo) * min(1.0, i / self.steps)


def solve(iters=300):
    torch.manual_seed(0)
    net = Ansatz()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    ramp = Schedule(1.0, 20.0, 150)
    grid = torch.linspace(0, 1, 21).unsqueeze(1)
    for i in range(iters):
        res = interior_residual(net, 24)
        bc = boundary_residual(net)
        loss = res + ramp(i) * bc
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if i % 60 == 0:
            with torch.no_grad():
                err = (net(grid) - exact(grid)).abs().max().item()
            print("it %3d  residual %.4f  bc %.5f  max err %.3f" % (i, res.item(), bc.item(), err))
    return net


if __name__ == "__main__":
    solve()
