# gradwatch-corpus: kind=second-backward
# holder: edge | edge_loss
# first-bad: 60
# notice: 0
"""Physics-informed fit of u_t = a u_xx on [0,1]x[0,1], a = 0.1, u(0,x)=sin(pi x)."""
import math

import torch
from torch import nn

ALPHA = 0.1


class MLP(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        mods = []
        for a, b in zip(dims, dims[1:]):
            mods += [nn.Linear(a, b), nn.Tanh()]
        mods.append(nn.Linear(dims[-1], 1))
        self.net = nn.Sequential(*mods)
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, t, x):
        return self.net(torch.cat([t, x], 1))


def d(y, v):
    return torch.autograd.grad(y.sum(), v, create_graph=True)[0]


def interior_loss(net, n=128):
    t = torch.rand(n, 1, requires_grad=True)
    x = torch.rand(n, 1, requires_grad=True)
    u = net(t, x)
    return (d(u, t) - ALPHA * d(d(u, x), x)).pow(2).mean()


def boundary_loss(net, n=64):
    s = torch.rand(n, 1)
    z = torch.zeros(n, 1)
    start = (net(z, s) - torch.sin(math.pi * s)).pow(2).mean()
    left, right = net(s, z), net(s, z + 1)
    return start + left.pow(2).mean() + right.pow(2).mean()


def adam_phase(net, iters, lr=5e-3):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for i in range(iters):
        loss = interior_loss(net) + 10 * boundary_loss(net)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 20 == 0:
            print(f"adam  {i:3d} {loss.item():.5f}")


def lbfgs_phase(net, iters):
    opt = torch.optim.LBFGS(
        net.parameters(), lr=0.5, max_iter=6, history_size=10, line_search_fn="strong_wolfe"
    )

    def problem():
        """One draw of points per outer step: L-BFGS wants a fixed objective."""
        state = torch.get_rng_state()
        edge = boundary_loss(net)  # <- culprit

        def evaluate():
            torch.set_rng_state(state)
            opt.zero_grad()
            loss = interior_loss(net) + 10 * edge  # <- culprit
            loss.backward()  # <- culprit
            return loss

        return evaluate

    for i in range(iters):
        loss = opt.step(problem())
        if i % 5 == 0:
            print(f"lbfgs {i:3d} {loss.item():.6f}")


def report(net):
    t, x = torch.meshgrid(torch.linspace(0, 1, 21), torch.linspace(0, 1, 21), indexing="ij")
    exact = torch.exp(-ALPHA * math.pi ** 2 * t) * torch.sin(math.pi * x)
    with torch.no_grad():
        u = net(t.reshape(-1, 1), x.reshape(-1, 1)).view_as(exact)
    print(f"max error {(u - exact).abs().max():.4f}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    net = MLP()
    adam_phase(net, 60)
    lbfgs_phase(net, 60)
    report(net)


if __name__ == "__main__":
    main()
