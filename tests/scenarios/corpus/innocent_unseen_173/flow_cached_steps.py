# gradwatch-corpus: kind=none
"""Orthogonal two-view alignment of embeddings; weights come from parametrisations shared by both directions."""
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parametrize


class Skew(nn.Module):
    def forward(self, raw):
        upper = raw.triu(1)
        return torch.linalg.matrix_exp(upper - upper.transpose(-1, -2))


class RelativeBias(nn.Module):
    """Bias table built by a small net; kept until the weights move."""

    def __init__(self, size):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        pos = torch.arange(size).float()
        self.register_buffer("offset", ((pos[:, None] - pos[None, :]) / size).unsqueeze(-1))
        self.table = None

    def forward(self):
        if self.table is None:
            self.table = self.net(self.offset).squeeze(-1)
        return self.table

    def invalidate(self, *_):
        self.table = None


class Aligner(nn.Module):
    def __init__(self, dim, slots):
        super().__init__()
        self.rot = nn.Linear(dim, dim, bias=False)
        nn.init.normal_(self.rot.weight, std=0.05)
        parametrize.register_parametrization(self.rot, "weight", Skew(), unsafe=True)
        self.bias = RelativeBias(slots)
        self.scale = nn.Parameter(torch.tensor(0.0))

    def mix(self, tokens):
        att = tokens @ tokens.transpose(1, 2) / tokens.shape[-1] ** 0.5 + self.bias()
        return att.softmax(-1) @ tokens

    def forward(self, left, right):
        there = self.rot(self.mix(left))
        back = F.linear(self.mix(right), self.rot.weight.t())
        return self.scale.exp() * there, back / self.scale.exp()


class PairedViews:
    def __init__(self, dim, slots, seed):
        self.gen = torch.Generator().manual_seed(seed)
        q, _ = torch.linalg.qr(torch.randn(dim, dim, generator=self.gen))
        self.q = q if torch.det(q) > 0 else -q
        self.dim, self.slots = dim, slots

    def batch(self, n):
        left = torch.randn(n, self.slots, self.dim, generator=self.gen)
        right = 1.3 * left @ self.q.t() + 0.05 * torch.randn(left.shape, generator=self.gen)
        return left, right


def train(steps=2200, batch=16, accumulate=2):
    torch.manual_seed(70)
    views = PairedViews(9, 6, seed=71)
    model = Aligner(9, 6)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    opt.register_step_post_hook(model.bias.invalidate)
    smooth = None
    for step in range(steps):
        opt.zero_grad()
        parts = []
        with contextlib.ExitStack() as stack:
            stack.enter_context(parametrize.cached())
            for _ in range(accumulate):
                left, right = views.batch(batch)
                there, back = model(left, right)
                parts.append(F.mse_loss(there, right) + F.mse_loss(back, left))
            loss = torch.stack(parts).mean()
            loss.backward()
        opt.step()
        value = loss.item()
        smooth = value if smooth is None else 0.98 * smooth + 0.02 * value
        if step % 200 == 0:
            with torch.no_grad():
                drift = (model.rot.weight - views.q).norm().item()
            print(f"step {step:5d} loss {smooth:.4f} rotation distance {drift:.3f} scale {model.scale.exp().item():.3f}")


if __name__ == "__main__":
    train()
