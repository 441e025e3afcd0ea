# gradwatch-corpus: kind=graph-chain
# holder: self.params | self.params[k] | fit.params | fit.params[k]
# first-bad: 1
# notice: 5
"""System identification: fit the Lotka-Volterra rates to noisy counts, with a momentum descent of our own."""
import torch

torch.set_num_threads(1)


def rhs(z, p):
    prey, pred = z
    return torch.stack([p["alpha"] * prey - p["beta"] * prey * pred, p["delta"] * prey * pred - p["gamma"] * pred])


def heun(z, p, h):
    k1 = rhs(z, p)
    k2 = rhs(z + h * k1, p)
    return z + 0.5 * h * (k1 + k2)


def simulate(p, z0, n=12, h=0.1):
    path = [z0]
    for _ in range(n):
        path.append(heun(path[-1], p, h))
    return torch.stack(path)


class RateFit:
    def __init__(self, guess, lr=0.03, mu=0.8):
        self.params = {k: torch.tensor(v, requires_grad=True) for k, v in guess.items()}
        self.velocity = {k: torch.zeros(()) for k in guess}
        self.lr, self.mu = lr, mu

    def objective(self, start, observed):
        return (simulate(self.params, start) - observed).pow(2).mean()

    def descend(self, grads):
        for k, g in zip(list(self.params), grads):
            self.velocity[k] = self.mu * self.velocity[k] - self.lr * g.clamp(-5, 5)
            self.params[k] = self.params[k] + self.velocity[k]  # <- culprit

    def step(self, start, observed):
        value = self.objective(start, observed)
        self.descend(torch.autograd.grad(value, list(self.params.values())))
        return value.item()


if __name__ == "__main__":
    torch.manual_seed(1)
    truth = {k: torch.tensor(v) for k, v in dict(alpha=1.1, beta=0.4, delta=0.1, gamma=0.4).items()}
    fit = RateFit(dict(alpha=0.8, beta=0.3, delta=0.2, gamma=0.5))
    for it in range(320):
        start = torch.rand(2) * 2 + 1
        with torch.no_grad():
            obs = simulate(truth, start) + 0.01 * torch.randn(13, 2)
        err = fit.step(start, obs)
        if it % 80 == 0:
            print(it, f"{err:.5f}", {k: round(float(v.detach()), 3) for k, v in fit.params.items()})
