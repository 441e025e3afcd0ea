# gradwatch-corpus: kind=none
"""Streaming variational Bayes: a mean-field linear classifier on a slowly turning problem. Every few steps the posterior becomes
the prior of what follows. The bound of a step is put together from several small draws before it is differentiated."""
import math
from itertools import accumulate, islice

import torch
from torch.distributions import Normal, kl_divergence
import torch.nn.functional as F

torch.manual_seed(400)

DIM, DRAWS, SIZE, STEPS, HANDOVER = 10, 4, 24, 360, 40


def turning_stream(rate=0.004):
    angle, base = 0.0, torch.randn(DIM)
    while True:
        w = base.clone()
        c, s = math.cos(angle), math.sin(angle)
        w[0], w[1] = c * base[0] - s * base[1], s * base[0] + c * base[1]
        x = torch.randn(SIZE, DIM)
        yield x, torch.bernoulli(torch.sigmoid(3 * x @ w))
        angle += rate


class MeanField:
    def __init__(self, dim):
        self.loc = torch.zeros(dim, requires_grad=True)
        self.raw = torch.full((dim,), -1.0, requires_grad=True)
        self.prior = Normal(torch.zeros(dim), torch.ones(dim))

    @property
    def parameters(self):
        return [self.loc, self.raw]

    def posterior(self):
        return Normal(self.loc, F.softplus(self.raw) + 1e-3)

    def hand_over(self, forget=1.02):
        """The present posterior, widened a little, is the prior of the next stretch."""
        q = self.posterior()
        self.prior = Normal(q.loc.detach().clone(), q.scale.detach() * forget)


def draws(model, x, y, n):
    """Negative log-likelihoods of n single-sample estimates, one after the other."""
    for _ in range(n):
        w = model.posterior().rsample()
        yield F.binary_cross_entropy_with_logits(x @ w, y, reduction="sum")


def fit(model, stream, steps):
    opt = torch.optim.Adam(model.parameters, lr=0.03)
    for step, (x, y) in enumerate(islice(stream, steps)):
        total = 0.0
        for nll in draws(model, x, y, DRAWS):
            total += nll
        bound = total / DRAWS + kl_divergence(model.posterior(), model.prior).sum() / HANDOVER
        opt.zero_grad()
        bound.backward()
        opt.step()
        if step % HANDOVER == HANDOVER - 1:
            model.hand_over()
        yield step, bound.item() / SIZE, predictive(model, x, y)


@torch.no_grad()
def predictive(model, x, y):
    q = model.posterior()
    k = 1 / torch.sqrt(1 + math.pi / 8 * (x ** 2) @ (q.scale ** 2))
    return ((torch.sigmoid(k * (x @ q.loc)) > 0.5).float() == y).float().mean().item()


def main():
    model = MeanField(DIM)
    log = []
    for step, bound, acc in fit(model, turning_stream(), STEPS):
        log.append((bound, acc))
        if (step + 1) % 60 == 0:
            b, a = (sum(c) / 60 for c in zip(*log[-60:]))
            print(f"step {step + 1:3d}  free energy/point {b:.3f}  accuracy {a:.3f}  "
                  f"scale {F.softplus(model.raw.detach()).mean().item():.3f}  "
                  f"prior scale {model.prior.scale.mean().item():.3f}")
    smooth = list(accumulate((a for _, a in log), lambda m, a: 0.98 * m + 0.02 * a))
    print(f"smoothed accuracy at the end {smooth[-1]:.3f}, best {max(smooth):.3f}")


if __name__ == "__main__":
    main()
