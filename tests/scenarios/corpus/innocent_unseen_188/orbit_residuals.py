# gradwatch-corpus: kind=none
"""Learning a perturbing acceleration from two-body orbit residuals."""
import torch
from torch import nn


class StepWindow(dict):
    """Mapping step -> anything, oldest steps leave when a new one comes."""

    def __init__(self, width):
        super().__init__()
        self.width = width

    def __setitem__(self, step, value):
        super().__setitem__(step, value)
        limit = step - self.width
        for key in [k for k in self if k <= limit]:
            super().__delitem__(key)

    def latest(self, n):
        return [self[k] for k in sorted(self)[-n:]]


class Perturbation(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, state):
        return 0.1 * self.f(state)


def gravity(pos):
    r = pos.norm(dim=-1, keepdim=True)
    return -pos / r.pow(3)


def drag(state):
    pos, vel = state[..., :2], state[..., 2:]
    return -0.05 * vel * torch.exp(1 - pos.norm(dim=-1, keepdim=True))


def leapfrog(state, extra, dt, n):
    pos, vel = state[..., :2], state[..., 2:]
    out = []
    for _ in range(n):
        vel = vel + dt * (gravity(pos) + extra(torch.cat([pos, vel], -1)))
        pos = pos + dt * vel
        out.append(torch.cat([pos, vel], -1))
    return torch.stack(out, 1)


def initial_states(gen, n):
    ang = 6.2832 * torch.rand(n, generator=gen)
    rad = 0.9 + 0.3 * torch.rand(n, generator=gen)
    pos = torch.stack([rad * ang.cos(), rad * ang.sin()], -1)
    speed = rad.rsqrt() * (0.95 + 0.1 * torch.rand(n, generator=gen))
    vel = torch.stack([-speed * ang.sin(), speed * ang.cos()], -1)
    return torch.cat([pos, vel], -1)


def fit(steps=440):
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(4)
    model = Perturbation()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    residuals = StepWindow(width=20)
    norms = StepWindow(width=40)
    for step in range(steps):
        start = initial_states(gen, 16)
        with torch.no_grad():
            truth = leapfrog(start, drag, 0.05, 8)
        path = leapfrog(start, model, 0.05, 8)
        residuals[step] = path - truth
        loss = residuals[step].pow(2).sum(-1).mean() * 1e3
        opt.zero_grad()
        loss.backward()
        norms[step] = torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0).item()
        opt.step()
        if step % 60 == 0:
            bias = torch.cat(residuals.latest(10)).mean((0, 1)).tolist()
            print(step, f"{loss.item():.5f}", [f"{b:+.1e}" for b in bias], f"|g| {max(norms.values()):.3f}")


if __name__ == "__main__":
    fit()
