# gradwatch-corpus: kind=graph-held
# holder: evaluations
# first-bad: 1
"""Enzyme kinetics: fit a neural rate law to concentration curves, one LBFGS per plate."""
import torch
from torch import nn


def rk4(rhs, y0, dt, n):
    ys = [y0]
    y = y0
    for _ in range(n):
        k1 = rhs(y)
        k2 = rhs(y + 0.5 * dt * k1)
        k3 = rhs(y + 0.5 * dt * k2)
        k4 = rhs(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        ys.append(y)
    return torch.stack(ys, dim=1)


class RateLaw(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.inner = nn.Linear(1, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(self, s):
        return -nn.functional.softplus(self.outer(torch.tanh(self.inner(s)))) * s


def true_rate(s):
    return -1.4 * s / (0.6 + s)


def make_closure(model, optimizer, s0, observed, dt):
    evaluations = []
    n = observed.shape[1] - 1

    def closure():
        optimizer.zero_grad()
        traj = rk4(model, s0, dt, n)
        misfit = (traj - observed).pow(2).mean()
        misfit.backward()
        evaluations.append(misfit)  # <- culprit
        return misfit

    def report():
        best = min(evaluations)
        return len(evaluations), best.item()

    return closure, report


def fit(model, plates, rounds):
    dt = 0.1
    s0 = torch.cat([p[0] for p in plates])
    observed = torch.cat([p[1] for p in plates])
    optimizer = torch.optim.LBFGS(
        model.parameters(),
        lr=0.3,
        max_iter=2,
        history_size=6,
        tolerance_grad=0.0,
        tolerance_change=0.0,
    )
    closure, report = make_closure(model, optimizer, s0, observed, dt)
    for r in range(rounds):
        optimizer.step(closure)
        if r % 10 == 9:
            calls, best = report()
            print(f"round {r + 1:3d}: {calls} evaluations, best misfit {best:.3e}")
    return report()


def main():
    torch.manual_seed(4)
    plates = []
    for _ in range(4):
        s0 = 0.2 + 2 * torch.rand(6, 1)
        with torch.no_grad():
            clean = rk4(true_rate, s0, 0.1, 10)
        plates.append((s0, clean + 0.01 * torch.randn_like(clean)))
    model = RateLaw()
    calls, best = fit(model, plates, rounds=70)
    grid = torch.tensor([[0.25], [1.0], [2.0]])
    with torch.no_grad():
        for s, a, b in zip(grid, model(grid), true_rate(grid)):
            print(f"s={s.item():.2f} learned {a.item():+.3f} true {b.item():+.3f}")


if __name__ == "__main__":
    main()
