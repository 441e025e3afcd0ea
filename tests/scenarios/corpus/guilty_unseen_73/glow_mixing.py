# gradwatch-corpus: kind=second-backward
# holder: self._assembled | step.mix._assembled | mix._assembled | flow.steps[0].mix._assembled | flow.steps[1].mix._assembled | flow.steps[2].mix._assembled | self.steps[0].mix._assembled | self.steps[1].mix._assembled | self.steps[2].mix._assembled
# first-bad: 13
# notice: 0
"""Glow-style flow on 4-d points; the LU-parametrised mixing matrices are frozen during warm-up."""
import math

import torch
import torch.nn as nn


class LUMixing(nn.Module):
    def __init__(self, dim):
        super().__init__()
        q, _ = torch.linalg.qr(torch.randn(dim, dim))
        P, L, U = torch.linalg.lu(q)
        self.register_buffer("P", P)
        self.register_buffer("sign_s", U.diagonal().sign())
        self.L = nn.Parameter(L.tril(-1))
        self.U = nn.Parameter(U.triu(1))
        self.log_s = nn.Parameter(U.diagonal().abs().log())
        self.register_buffer("eye", torch.eye(dim))
        self._assembled = None

    def invalidate(self):
        self._assembled = None

    def train(self, mode=True):
        self.invalidate()
        return super().train(mode)

    def matrix(self):
        if self._assembled is None:
            lower = self.L.tril(-1) + self.eye
            upper = self.U.triu(1) + torch.diag(self.sign_s * self.log_s.exp())
            self._assembled = self.P @ lower @ upper  # <- culprit
        return self._assembled

    def forward(self, x):
        return x @ self.matrix().t(), self.log_s.sum().expand(x.size(0))

    def inverse(self, y):
        return torch.linalg.solve(self.matrix(), y.t()).t()


class Coupling(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.half = dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _st(self, a):
        s, t = self.net(a).chunk(2, 1)
        return torch.tanh(s), t

    def forward(self, x):
        a, b = x.split(self.half, 1)
        s, t = self._st(a)
        return torch.cat([a, b * s.exp() + t], 1), s.sum(1)

    def inverse(self, y):
        a, b = y.split(self.half, 1)
        s, t = self._st(a)
        return torch.cat([a, (b - t) * (-s).exp()], 1)


class Step(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.mix = LUMixing(dim)
        self.couple = Coupling(dim, hidden)

    def forward(self, x):
        x, d1 = self.mix(x)
        x, d2 = self.couple(x)
        return x, d1 + d2

    def inverse(self, y):
        return self.mix.inverse(self.couple.inverse(y))


class Glow(nn.Module):
    def __init__(self, dim=4, hidden=32, depth=3):
        super().__init__()
        self.dim = dim
        self.steps = nn.ModuleList(Step(dim, hidden) for _ in range(depth))

    def log_prob(self, x):
        logdet = x.new_zeros(x.size(0))
        for step in self.steps:
            x, d = step(x)
            logdet = logdet + d
        return -0.5 * (x.square().sum(1) + self.dim * math.log(2 * math.pi)) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.dim)
        for step in reversed(self.steps):
            z = step.inverse(z)
        return z

    def set_mixing_trainable(self, flag):
        for step in self.steps:
            step.mix.requires_grad_(flag)
            step.mix.invalidate()


def batch(n):
    t = torch.rand(n) * 2 * math.pi
    ring = torch.stack([t.cos(), t.sin()], 1) * 2
    return torch.cat([ring, ring.flip(1) * 0.5], 1) + 0.1 * torch.randn(n, 4)


class WarmupFreeze:
    def __init__(self, flow, until):
        self.flow, self.until = flow, until
        flow.set_mixing_trainable(False)

    def before(self, it):
        if it == self.until:
            self.flow.set_mixing_trainable(True)


def main(epochs=3, per_epoch=20, warmup=12):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    flow = Glow()
    opt = torch.optim.Adam(flow.parameters(), lr=3e-3)
    callbacks = [WarmupFreeze(flow, warmup)]
    it = 0
    for epoch in range(epochs):
        flow.train()
        total = 0.0
        for _ in range(per_epoch):
            for cb in callbacks:
                cb.before(it)
            nll = -flow.log_prob(batch(128)).mean()
            opt.zero_grad()
            nll.backward()
            opt.step()
            total += nll.item()
            it += 1
        flow.eval()
        spread = flow.sample(256)[:, :2].norm(dim=1).mean().item()
        print(f"epoch {epoch} nll {total / per_epoch:.3f} sampled radius {spread:.2f}")


if __name__ == "__main__":
    main()
