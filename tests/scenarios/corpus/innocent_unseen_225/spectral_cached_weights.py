# gradwatch-corpus: kind=none
"""Lipschitz-bounded surrogate for a diffusion solver, parametrized weights, grouped updates."""
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize


class SpectralBound(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def forward(self, w):
        norm = torch.linalg.matrix_norm(w, 2)
        return w * (self.limit / norm.clamp(min=self.limit))


class Surrogate(nn.Module):
    def __init__(self, n, width):
        super().__init__()
        self.inp = nn.Linear(n, width)
        self.core = nn.Linear(width, width)
        self.out = nn.Linear(width, n)
        for layer in (self.inp, self.core, self.out):
            parametrize.register_parametrization(layer, "weight", SpectralBound(1.5))

    def advance(self, u):
        h = torch.tanh(self.inp(u))
        h = torch.tanh(self.core(h))
        return u + self.out(h)


class UnrollCache:
    """Intermediate states of one group of rollouts."""

    def __init__(self):
        self.states = []
        self.errors = []

    def push(self, state, error):
        self.states.append(state)
        self.errors.append(error)

    def objective(self):
        smooth = sum(s.diff(dim=-1).pow(2).mean() for s in self.states)
        return torch.stack(self.errors).mean() + 1e-3 * smooth

    def clear(self):
        self.states.clear()
        self.errors.clear()


def laplace_step(u, nu=0.3):
    left = torch.roll(u, 1, -1)
    right = torch.roll(u, -1, -1)
    return u + nu * (left - 2 * u + right)


def bumps(batch, n):
    x = torch.linspace(0, 1, n)
    centre = torch.rand(batch, 1)
    width = 0.05 + 0.1 * torch.rand(batch, 1)
    return torch.exp(-((x - centre) / width) ** 2)


def main():
    torch.manual_seed(33)
    model = Surrogate(32, 48)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    cache = UnrollCache()
    best = float("inf")
    reference = None
    for it in range(100):
        with parametrize.cached():
            for _ in range(2):
                truth = bumps(16, 32)
                u = truth
                for _ in range(4):
                    u = model.advance(u)
                    truth = laplace_step(truth)
                    cache.push(u, (u - truth).pow(2).mean())
            loss = cache.objective()
            opt.zero_grad()
            loss.backward()
        opt.step()
        cache.clear()
        if loss.item() < best:
            best = loss.item()
            reference = u.detach().clone()
        if it % 20 == 19:
            print(f"{it + 1:3d} loss {loss.item():.5f} best {best:.5f}")
    print("mass of the best rollout", round(reference.sum(-1).mean().item(), 3))


if __name__ == "__main__":
    main()
