# gradwatch-corpus: kind=none
# about: neural ODE: number of accepted steps and with it the graph grows with span and stiffness, to a ceiling; plan under no_grad
"""Neural ODE with an adaptive step controller: the plan of steps is found without gradients, then the accepted plan is replayed."""
import contextlib
import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class Stats:
    planned: int = 0
    rejected: int = 0
    deepest: int = 0


class Field(nn.Module):
    def __init__(self, dim=2, width=40):
        super().__init__()
        self.a, self.b = nn.Linear(dim + 1, width), nn.Linear(width, dim)

    def forward(self, t, z):
        return self.b(torch.tanh(self.a(torch.cat([z, t.expand(len(z), 1)], 1))))


def bs32(f, t, z, h):
    """Bogacki-Shampine, third order; returns the step (the embedded error is the caller's business)"""
    k1 = f(t, z)
    k2 = f(t + h / 2, z + h / 2 * k1)
    k3 = f(t + 3 * h / 4, z + 3 * h / 4 * k2)
    return z + h * (2 * k1 + 3 * k2 + 4 * k3) / 9, (k1, k2, k3)


@torch.no_grad()
def plan(f, z, span, tol, stats):
    t, h, out = torch.zeros(()), .25, []
    while t < span - 1e-6:
        h = min(h, float(span - t))
        new, (k1, k2, k3) = bs32(f, t, z, h)
        k4 = f(t + h, new)
        err = (h * (-5 / 72 * k1 + k2 / 12 + k3 / 9 - k4 / 8)).abs().max().item()
        if err <= tol or h < .01:
            out.append((t.clone(), h))
            t, z = t + h, new
        else:
            stats.rejected += 1
        h *= min(3., max(.3, .9 * (tol / (err + 1e-12)) ** (1 / 3)))
    stats.planned += 1
    stats.deepest = max(stats.deepest, len(out))
    return out


def flow(f, z, span, tol, stats):
    for t, h in plan(f, z, span, tol, stats):
        z, _ = bs32(f, t, z, h)
    return z


@contextlib.contextmanager
def reporting(stats, every, title):
    lines = []
    yield lambda i, v: (lines.append(i), print(f"{title} {i}: loss {v:.4f} deepest {stats.deepest} rejected {stats.rejected}")) if i % every == 0 else None
    print(title, "done,", len(lines), "reports")


def truth(z, span):
    for _ in range(60):
        d = torch.stack([z[:, 1], 2.2 * (1 - z[:, 0] ** 2) * z[:, 1] - z[:, 0]], 1)
        z = z + span / 60 * d
    return z


if __name__ == "__main__":
    torch.manual_seed(23)
    f, stats = Field(), Stats()
    opt = torch.optim.Adam(f.parameters(), lr=8e-3)
    with reporting(stats, 40, "orbit fit") as say:
        for i in range(260):
            z0 = torch.randn(40, 2)
            span = .4 + .8 * min(1, i / 200)
            loss = (flow(f, z0, span, 2e-3, stats) - truth(z0, span)).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            say(i, loss.item())
