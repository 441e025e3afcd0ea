# gradwatch-corpus: kind=none
"""Online river-level forecasting, verified when the level is finally observed.

A forecast issued now for ``lead`` hours ahead waits in a queue until its truth
arrives; only then is its loss known and its gradient taken. The forecaster is
linear in fixed random features of the recent past.
"""
import argparse
import math
from collections import deque
from dataclasses import dataclass

import torch


@dataclass
class Issued:
    """A forecast waiting for its observation."""
    valid_at: int
    mean: torch.Tensor
    log_sd: torch.Tensor


class Gauge:
    """Hourly river level driven by rain pulses and a daily cycle."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.soil = 0.0
        self.hour = 0

    def read(self):
        self.hour += 1
        rain = float(torch.rand((), generator=self.g) < 0.06) * 2.0
        self.soil = 0.93 * self.soil + rain
        noise = 0.05 * float(torch.randn((), generator=self.g))
        return 0.4 * self.soil + 0.3 * math.sin(2 * math.pi * self.hour / 24) + noise


class RandomFeatures:
    def __init__(self, n_in, n_out, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(n_out, n_in, generator=g) / n_in ** 0.5
        self.b = 2 * math.pi * torch.rand(n_out, generator=g)

    def __call__(self, past):
        return (2.0 / len(self.b)) ** 0.5 * torch.cos(self.w @ past + self.b)


class Forecaster(torch.nn.Module):
    def __init__(self, n_feat):
        super().__init__()
        self.head = torch.nn.Linear(n_feat, 2)
        torch.nn.init.zeros_(self.head.weight)

    def issue(self, feats, valid_at):
        mean, log_sd = self.head(feats).unbind(-1)
        return Issued(valid_at, mean, log_sd)


def surprise(issued, level):
    log_sd = issued.log_sd.clamp(-3, 2)
    return 0.5 * ((level - issued.mean) / log_sd.exp()).square() + log_sd


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hours", type=int, default=280)
    ap.add_argument("--lead", type=int, default=6)
    ap.add_argument("--memory", type=int, default=12)
    ap.add_argument("--features", type=int, default=64)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)

    gauge = Gauge(seed=3)
    phi = RandomFeatures(args.memory, args.features)
    model = Forecaster(args.features)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    past = deque([gauge.read() for _ in range(args.memory)], maxlen=args.memory)
    pending = deque()
    score, verified = 0.0, 0

    for hour in range(args.hours):
        level = gauge.read()
        past.append(level)
        if pending and pending[0].valid_at == hour:
            loss = surprise(pending.popleft(), level)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            verified += 1
            score += (loss.item() - score) / verified
        pending.append(model.issue(phi(torch.tensor(list(past))), hour + args.lead))
        if hour % 40 == 0:
            print(f"hour {hour:4d}  mean surprise {score:+.4f}  waiting {len(pending)}")


if __name__ == "__main__":
    main()
