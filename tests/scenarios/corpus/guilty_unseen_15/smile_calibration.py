# gradwatch-corpus: kind=graph-chain
# holder: self.theta | calibrator.theta | cal.theta | theta
# first-bad: 1
"""Calibrates SVI smile parameters to a stream of noisy quotes by plain gradient steps
with a decaying rate; no optimizer object, the update rule is three lines."""
import math

import torch

TRUTH = dict(a=0.04, b=0.12, rho=-0.45, m=0.02, sigma=0.15)
NAMES = list(TRUTH)


def svi_total_variance(k, a, b, rho, m, sigma):
    y = k - m
    return a + b * (rho * y + torch.sqrt(y * y + sigma * sigma))


def unpack(theta):
    """Unconstrained vector -> admissible SVI parameters."""
    a, b, rho, m, sigma = theta.unbind()
    return (torch.nn.functional.softplus(a) * 0.1,
            torch.nn.functional.softplus(b) * 0.2,
            torch.tanh(rho),
            0.5 * m,
            torch.nn.functional.softplus(sigma) * 0.2 + 1e-3)


class QuoteStream:
    """Each tick: log-moneyness, mid total variance, and a weight by vega."""

    def __init__(self, n=64, noise=0.002, seed=9):
        self.n, self.noise = n, noise
        self.gen = torch.Generator().manual_seed(seed)
        self.params = [torch.tensor(v) for v in TRUTH.values()]

    def __iter__(self):
        return self

    def __next__(self):
        k = 0.8 * (torch.rand(self.n, generator=self.gen) - 0.5)
        w = svi_total_variance(k, *self.params)
        quotes = w + self.noise * torch.randn(self.n, generator=self.gen)
        vega = torch.exp(-0.5 * (k / 0.25) ** 2) / math.sqrt(2 * math.pi)
        return k, quotes, vega / vega.sum()


class Calibrator:
    def __init__(self, rate=0.6, half_life=150):
        self.rate = rate
        self.half_life = half_life
        self.tick = 0
        self.theta = torch.zeros(len(NAMES), requires_grad=True)

    def objective(self, quote):
        k, target, weight = quote
        model = svi_total_variance(k, *unpack(self.theta))
        fit = (weight * (model - target) ** 2).sum()
        prior = 1e-6 * self.theta.pow(2).sum()
        return 1e2 * fit + prior

    def current_rate(self):
        return self.rate * 0.5 ** (self.tick / self.half_life)

    def descend(self, grad):
        grad = grad / grad.norm().clamp_min(1.0)
        self.theta = self.theta - self.current_rate() * grad  # <- culprit
        self.theta.retain_grad()

    def on_quote(self, quote):
        loss = self.objective(quote)
        loss.backward()
        self.descend(self.theta.grad)
        self.tick += 1
        return loss.item()

    def report(self):
        values = [v.item() for v in unpack(self.theta)]
        return "  ".join(f"{n}={v:+.3f}" for n, v in zip(NAMES, values))


def arbitrage_free(cal):
    """Roger Lee's wing condition on the slope."""
    _, b, rho, _, _ = (v.item() for v in unpack(cal.theta))
    return b * (1 + abs(rho)) < 2.0


def main(ticks=400):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    cal = Calibrator()
    stream = QuoteStream()
    trace = []
    for i, quote in zip(range(ticks), stream):
        trace.append(cal.on_quote(quote))
        if (i + 1) % 100 == 0:
            recent = sum(trace[-50:]) / 50
            print(f"tick {i + 1}: objective {recent:.5f} | {cal.report()}"
                  + ("" if arbitrage_free(cal) else "  [wing condition violated]"))
    print("truth                      | " + "  ".join(f"{n}={v:+.3f}" for n, v in TRUTH.items()))


if __name__ == "__main__":
    main()
