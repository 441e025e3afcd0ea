# gradwatch-corpus: kind=graph-chain
# holder: SLOW | SLOW[name] | SLOW["w1"] | SLOW["b1"] | SLOW["w2"] | SLOW["b2"]
# first-bad: 1
"""Conversion model for the newsletter campaigns, trained day by day on the click log.

Weights are pulled towards their own slow average so that a single odd campaign does not throw the model off.
"""
import math
import random

import torch
import torch.nn.functional as F

N_FEATURES = 20
HIDDEN = 24
DAYS = 250
PULL = 0.05
RATE = 0.02

SEGMENTS = ["new", "returning", "lapsed", "vip"]

torch.manual_seed(99)
random.seed(99)
torch.set_num_threads(1)


def leaf(*shape):
    scale = 1 / math.sqrt(shape[-1])
    return (torch.randn(*shape) * scale).requires_grad_()


PARAMS = {
    "w1": leaf(HIDDEN, N_FEATURES),
    "b1": torch.zeros(HIDDEN, requires_grad=True),
    "w2": leaf(1, HIDDEN),
    "b2": torch.zeros(1, requires_grad=True),
}
SLOW = {name: p.detach().clone() for name, p in PARAMS.items()}
OPT = torch.optim.SGD(list(PARAMS.values()), lr=0.1, momentum=0.9)

TRUE_W = torch.randn(N_FEATURES) * 0.6
SEGMENT_SHIFT = {s: random.uniform(-0.8, 0.8) for s in SEGMENTS}

stats = {"day": 0, "sent": 0, "converted": 0, "logloss": 0.0}


def clicks_of_day(day, size=128):
    """One day of mailings to one segment; a weekly rhythm and a slow drift of taste."""
    segment = random.choice(SEGMENTS)
    x = torch.randn(size, N_FEATURES)
    x[:, 0] = math.sin(2 * math.pi * day / 7)
    x[:, 1] = SEGMENTS.index(segment) / 2 - 0.75
    drift = 0.3 * math.sin(day / 60)
    z = x @ TRUE_W + SEGMENT_SHIFT[segment] + drift * x[:, 2] - 0.5
    y = torch.bernoulli(torch.sigmoid(z))
    return segment, x, y


def forward(x):
    h = torch.tanh(F.linear(x, PARAMS["w1"], PARAMS["b1"]))
    return F.linear(h, PARAMS["w2"], PARAMS["b2"]).squeeze(1)


def pull_to_slow():
    return sum((p - SLOW[name]).pow(2).sum() for name, p in PARAMS.items())


def refresh_slow():
    for name, p in PARAMS.items():
        SLOW[name] = torch.lerp(SLOW[name], p, RATE)  # <- culprit


def train_day(day):
    segment, x, y = clicks_of_day(day)
    bce = F.binary_cross_entropy_with_logits(forward(x), y)
    loss = bce + PULL * pull_to_slow()
    OPT.zero_grad()
    loss.backward()
    OPT.step()
    refresh_slow()
    stats["day"] = day
    stats["sent"] += len(y)
    stats["converted"] += int(y.sum())
    stats["logloss"] = 0.97 * stats["logloss"] + 0.03 * bce.item()
    return segment


def evaluate():
    with torch.no_grad():
        _, x, y = clicks_of_day(stats["day"] + 1, size=512)
        return float(((forward(x) > 0) == (y > 0.5)).float().mean())


def main():
    per_segment = dict.fromkeys(SEGMENTS, 0)
    for day in range(DAYS):
        per_segment[train_day(day)] += 1
        if (day + 1) % 50 == 0:
            print(f"day {day + 1}: logloss~{stats['logloss']:.3f} "
                  f"conversion={stats['converted'] / stats['sent']:.3f} holdout acc={evaluate():.3f}")
    print("mailings per segment:", per_segment)


if __name__ == "__main__":
    main()
