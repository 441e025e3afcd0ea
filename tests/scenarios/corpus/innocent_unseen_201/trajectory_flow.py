# gradwatch-corpus: kind=none
"""Learned dynamics of a damped pendulum; loss weights set from the first iterations."""
import torch
from torch import nn

WARMUP = 40
ITERS = 440


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))

    def rollout(self, x, steps, dt):
        states = []
        for _ in range(steps):
            mid = x + 0.5 * dt * self.f(x)
            x = x + dt * self.f(mid)
            states.append(x)
        return torch.stack(states, 1)


class TermBalancer:
    def __init__(self, warmup):
        self.warmup = warmup
        self.collected = []
        self.weights = None

    def __call__(self, terms):
        if self.weights is not None:
            return (self.weights * terms).sum()
        self.collected.append(terms)
        if len(self.collected) >= self.warmup:
            self.finalize()
        return terms.sum()

    def finalize(self):
        stats = torch.stack(self.collected).detach()
        inv = 1.0 / (stats.mean(0) + 1e-6)
        self.weights = len(inv) * inv / inv.sum()
        self.collected = None
        print("weights", [round(w, 3) for w in self.weights.tolist()])


def simulate(n, steps, dt):
    x = torch.randn(n, 2)
    out = []
    start = x
    for _ in range(steps):
        th, om = x[:, 0], x[:, 1]
        acc = -torch.sin(th) - 0.2 * om
        x = torch.stack([th + dt * om, om + dt * acc], 1)
        out.append(x)
    return start, torch.stack(out, 1)


def energy(s):
    return 0.5 * s[..., 1] ** 2 + 1 - torch.cos(s[..., 0])


def main():
    torch.manual_seed(2)
    model = Dynamics()
    balance = TermBalancer(WARMUP)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.995)
    trace = []
    for it in range(ITERS):
        x0, target = simulate(32, 6, 0.1)
        pred = model.rollout(x0, 6, 0.1)
        terms = torch.stack([
            (pred[..., 0] - target[..., 0]).pow(2).mean(),
            (pred[..., 1] - target[..., 1]).pow(2).mean(),
            (energy(pred) - energy(target)).pow(2).mean(),
        ])
        loss = balance(terms)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        trace.append(terms.tolist())
        if it % 80 == 79:
            recent = torch.tensor(trace[-80:]).mean(0)
            print(it + 1, " ".join(f"{v:.5f}" for v in recent))


if __name__ == "__main__":
    main()
