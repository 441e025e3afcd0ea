# gradwatch-corpus: kind=second-backward
# holder: sag | inner
# first-bad: 0
"""Physics-informed fit of a beam on an elastic bed:  w'' - k w + q(x) = 0,  w(0) = w(1) = 0."""
import torch
from torch import nn
from torch.autograd import grad

BED = 9.0
STEPS = 150


class Mlp(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        sizes = [1] + [width] * depth + [1]
        layers = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            layers += [nn.Linear(a, b), nn.Tanh()]
        self.seq = nn.Sequential(*layers[:-1])

    def forward(self, x):
        return self.seq(x)


def derivative(y, x, order):
    for k in range(order):
        last = k == order - 1
        y = grad(y, x, torch.ones_like(y), create_graph=not last)[0]  # <- culprit
    return y


def load(x):
    return 4.0 * torch.exp(-((x - 0.3) / 0.15) ** 2) + 1.5 * x


class BeamProblem:
    def __init__(self, net, n_inner=64):
        self.net = net
        self.n_inner = n_inner
        self.ends = torch.tensor([[0.0], [1.0]])
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.log = []

    def residual(self, x):
        sag = self.net(x)  # <- culprit
        curvature = derivative(sag, x, order=2)  # <- culprit
        return curvature - BED * sag + load(x)

    def losses(self):
        x = torch.rand(self.n_inner, 1).requires_grad_()
        inner = self.residual(x).pow(2).mean()
        clamp = self.net(self.ends).pow(2).mean()
        return inner, clamp

    def step(self):
        inner, clamp = self.losses()
        total = inner + 50.0 * clamp
        self.opt.zero_grad()
        total.backward()  # <- culprit
        self.opt.step()
        self.log.append((inner.item(), clamp.item()))

    def profile(self, n=11):
        with torch.no_grad():
            xs = torch.linspace(0, 1, n).unsqueeze(1)
            return self.net(xs).squeeze(1).tolist()


def main():
    torch.manual_seed(1)
    problem = BeamProblem(Mlp())
    print("start", [round(v, 3) for v in problem.profile()])
    for it in range(STEPS):
        problem.step()
        if it % 30 == 0:
            inner, clamp = problem.log[-1]
            print(f"it {it:4d}  residual {inner:.4f}  ends {clamp:.5f}")
    print("final", [round(v, 3) for v in problem.profile()])


if __name__ == "__main__":
    main()
