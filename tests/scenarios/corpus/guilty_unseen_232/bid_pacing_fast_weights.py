# gradwatch-corpus: kind=graph-chain
# holder: self.weights | tuner.weights | ranker.tuner.weights
# first-bad: 1
"""Ads ranking: per-market online tuner that adapts a small head on top of frozen click features."""
import collections

import torch
import torch.nn.functional as F

FEATS = 24
HIDDEN = 32
Market = collections.namedtuple("Market", "name skew base_rate")


def init_weights(seed):
    g = torch.Generator().manual_seed(seed)
    return {
        "w1": (torch.randn(HIDDEN, FEATS, generator=g) * 0.2).requires_grad_(),
        "b1": torch.zeros(HIDDEN, requires_grad=True),
        "w2": (torch.randn(1, HIDDEN, generator=g) * 0.2).requires_grad_(),
        "b2": torch.zeros(1, requires_grad=True),
    }


def score(weights, x):
    h = F.elu(F.linear(x, weights["w1"], weights["b1"]))
    return F.linear(h, weights["w2"], weights["b2"]).squeeze(1)


class LrPlan:
    def __init__(self, peak, warm, total):
        self.peak = peak
        self.warm = warm
        self.total = total

    def at(self, step):
        if step < self.warm:
            return self.peak * (step + 1) / self.warm
        left = (self.total - step) / max(1, self.total - self.warm)
        return self.peak * (0.1 + 0.9 * left)


class OnlineTuner:
    def __init__(self, plan, weight_decay=1e-4):
        self.weights = init_weights(3)
        self.plan = plan
        self.weight_decay = weight_decay
        self.step_no = 0

    def update(self, x, clicks):
        logits = score(self.weights, x)
        loss = F.binary_cross_entropy_with_logits(logits, clicks)
        names = list(self.weights)
        grads = torch.autograd.grad(loss, [self.weights[n] for n in names])
        lr = self.plan.at(self.step_no)
        fresh = {}
        for name, grad in zip(names, grads):
            shrunk = self.weights[name] * (1 - lr * self.weight_decay)  # <- culprit
            fresh[name] = shrunk - lr * grad  # <- culprit
        self.weights = fresh  # <- culprit
        self.step_no += 1
        return loss.item(), torch.sigmoid(logits.detach())


class TrafficLog:
    def __init__(self, markets, seed):
        self.markets = markets
        self.gen = torch.Generator().manual_seed(seed)
        self.truth = torch.randn(FEATS, generator=self.gen)

    def batch(self, step, size=128):
        market = self.markets[step % len(self.markets)]
        x = torch.randn(size, FEATS, generator=self.gen) + market.skew
        p = torch.sigmoid(x @ self.truth * 0.4 + market.base_rate)
        clicks = torch.bernoulli(p, generator=self.gen)
        return market, x, clicks


def calibration(pred, clicks):
    return (pred.mean() / clicks.mean().clamp_min(1e-3)).item()


def main():
    markets = [Market("DE", 0.1, -1.0), Market("FR", -0.1, -0.5), Market("PL", 0.0, -1.5)]
    steps = 150
    traffic = TrafficLog(markets, 21)
    tuner = OnlineTuner(LrPlan(0.5, 10, steps))
    per_market = collections.defaultdict(list)
    for step in range(steps):
        market, x, clicks = traffic.batch(step)
        loss, pred = tuner.update(x, clicks)
        per_market[market.name].append((loss, calibration(pred, clicks)))
    for name, rows in per_market.items():
        tail = rows[-10:]
        mean_loss = sum(r[0] for r in tail) / len(tail)
        mean_cal = sum(r[1] for r in tail) / len(tail)
        print(f"{name}: logloss {mean_loss:.4f} calibration {mean_cal:.3f}")


if __name__ == "__main__":
    main()
