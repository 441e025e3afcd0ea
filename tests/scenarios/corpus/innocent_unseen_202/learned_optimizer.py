# gradwatch-corpus: kind=none
import torch
import torch.nn as nn


class CoordinateOptimizer(nn.Module):
    """LSTM applied to every coordinate (Andrychowicz et al. 2016)."""

    def __init__(self, hidden=12):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def initial(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    @staticmethod
    def preprocess(g):
        return torch.stack([g.sign(), (g.abs() + 1e-6).log() / 8], 1)

    def forward(self, g, state):
        h, c = self.cell(self.preprocess(g), state)
        return 0.1 * self.out(h).squeeze(1), (h, c)


class Quadratic:
    def __init__(self, dim=8):
        self.A = torch.randn(dim, dim) / dim ** 0.5
        self.b = torch.randn(dim)
        self.dim = dim

    def __call__(self, theta):
        return (self.A @ theta - self.b).pow(2).sum()


class UnrollRunner:
    def __init__(self, meta, unroll=6, restart=60):
        self.meta = meta
        self.unroll = unroll
        self.restart = restart
        self.age = restart
        self.opt = torch.optim.Adam(meta.parameters(), lr=3e-3)
        self.finals = []

    def fresh(self):
        self.task = Quadratic()
        self.theta = torch.randn(self.task.dim)
        self.state = self.meta.initial(self.task.dim)
        self.age = 0

    def segment(self):
        if self.age >= self.restart:
            self.fresh()
        theta, state = self.theta, self.state
        if not theta.requires_grad:
            theta = theta.requires_grad_()
        total = 0.0
        for _ in range(self.unroll):
            f = self.task(theta)
            g, = torch.autograd.grad(f, theta, retain_graph=True)
            delta, state = self.meta(g.detach(), state)
            theta = theta + delta
            total = total + f
        total = total + self.task(theta)
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.meta.parameters(), 1.0)
        self.opt.step()
        self.theta = theta.detach()
        self.state = tuple(s.detach() for s in state)
        self.age += self.unroll
        if self.age >= self.restart:
            self.finals.append(self.task(self.theta).item())
        return total.item() / self.unroll


def main():
    torch.manual_seed(70)
    runner = UnrollRunner(CoordinateOptimizer())
    avg = 0.0
    for it in range(450):
        avg = 0.97 * avg + 0.03 * runner.segment()
        if it % 90 == 89:
            recent = runner.finals[-5:]
            print(f"segment {it} mean objective {avg:.3f} final {sum(recent) / len(recent):.3f}")


if __name__ == "__main__":
    main()
