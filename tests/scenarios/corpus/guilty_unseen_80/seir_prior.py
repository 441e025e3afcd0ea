# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | prior.anchor | self.prior.anchor | fit.prior.anchor
# first-bad: 1
# notice: 5
"""SEIR with a learned force of infection, rates kept in range by a straight-through clamp."""
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

torch.set_num_threads(1)


class RangeSTE(Function):
    """clamp whose derivative is the identity."""

    @staticmethod
    def forward(ctx, x, lo, hi):
        return x.clamp(lo, hi)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return grad, None, None


class LogMass(Function):
    """log(x + eps), stable near zero; saves the shifted input."""

    @staticmethod
    def forward(ctx, x, eps):
        y = x.clamp_min(0.0) + eps
        ctx.save_for_backward(y)
        return y.log()

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad / y, None


class SlowPrior(nn.Module):
    """Pulls the rates towards where they have been lately."""

    def __init__(self, n, pace=0.08, strength=0.3):
        super().__init__()
        self.pace, self.strength = pace, strength
        self.anchor = torch.full((n,), -1.5)

    def forward(self, rates):
        gap = rates - self.anchor
        self.anchor = torch.lerp(self.anchor, rates, self.pace)  # <- culprit
        return self.strength * gap.square().sum()


class Compartments(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.log_rates = nn.Parameter(torch.tensor([-1.0, -2.5, -2.0]))
        self.force = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def rates(self):
        return RangeSTE.apply(self.log_rates, -4.0, 0.5)

    def forward(self, y0, days, rates):
        beta, sigma, gamma = rates.exp().unbind()
        y, out = y0, []
        for _ in range(days):
            s, e, i, r = y.unbind(-1)
            lam = beta * i * (1 + self.force(torch.stack([s, i], -1)).squeeze(-1).tanh())
            infect, onset, recover = lam * s, sigma * e, gamma * i
            y = y + torch.stack([-infect, infect - onset, onset - recover, recover], -1)
            out.append(y[..., 2])
        return torch.stack(out, -1)


def outbreak(n, days, gen):
    beta = 0.3 + 0.3 * torch.rand(n, generator=gen)
    y = torch.tensor([0.97, 0.02, 0.01, 0.0]).repeat(n, 1)
    y0, seen = y, []
    for _ in range(days):
        s, e, i, r = y.unbind(-1)
        a, b, c = beta * s * i, 0.2 * e, 0.1 * i
        y = y + torch.stack([-a, a - b, b - c, c], -1)
        seen.append(y[:, 2])
    return y0, torch.stack(seen, -1)


class Fit:
    def __init__(self, model, days=18):
        self.model, self.days = model, days
        self.prior = SlowPrior(3)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=8e-3)
        self.grad_norms = {}
        for name, p in model.named_parameters():
            p.register_post_accumulate_grad_hook(self._norm_of(name))

    def _norm_of(self, name):
        def hook(p):
            self.grad_norms[name] = p.grad.norm().item()
        return hook

    def objective(self, y0, seen):
        rates = self.model.rates()
        curve = self.model(y0, self.days, rates)
        data = (LogMass.apply(curve, 1e-4) - LogMass.apply(seen, 1e-4)).square().mean()
        return data + self.prior(rates), data

    def step(self, y0, seen):
        self.optimizer.zero_grad(set_to_none=True)
        total, data = self.objective(y0, seen)
        total.backward()
        self.optimizer.step()
        return data.item()


if __name__ == "__main__":
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(19)
    fit = Fit(Compartments())
    for it in range(110):
        y0, seen = outbreak(8, fit.days, gen)
        value = fit.step(y0, seen)
        if it % 20 == 0:
            top = max(fit.grad_norms, key=fit.grad_norms.get)
            print(f"it {it:3d} data {value:.4f} largest grad {top} {fit.grad_norms[top]:.3f}")
