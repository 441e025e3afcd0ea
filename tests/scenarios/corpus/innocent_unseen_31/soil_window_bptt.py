# gradwatch-corpus: kind=none
"""Soil-moisture emulator trained with overlapping truncated BPTT: the loss of
each day looks back over the last K days of the recurrent state."""
from collections import deque

import numpy as np
import torch
import torch.nn as nn

K_BACK = 6


def station(n_days, seed=2):
    rng = np.random.default_rng(seed)
    rain = np.where(rng.random(n_days) < 0.3, rng.exponential(6.0, n_days), 0.0)
    et = 1.5 + np.sin(np.arange(n_days) * 2 * np.pi / 365)
    theta = np.zeros(n_days)
    for t in range(1, n_days):
        theta[t] = min(max(theta[t - 1] * 0.93 + 0.02 * rain[t] - 0.01 * et[t], 0.02), 0.5)
    x = np.stack([np.log1p(rain), et], 1)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(theta, dtype=torch.float32)


class Emulator(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.cell = nn.GRUCell(2, hid)
        self.read = nn.Linear(hid, 1)


class SlidingBPTT:
    """Keeps the last K (state_in, state_out) pairs. state_in is a leaf, so the
    gradient is walked back over the pairs by hand."""

    def __init__(self, model, k):
        self.model = model
        self.pairs = deque(maxlen=k)
        self.last = None

    def reset(self, batch):
        self.pairs.clear()
        self.last = torch.zeros(batch, self.model.cell.hidden_size)

    def push(self, x):
        s_in = self.last.detach().requires_grad_(True)
        s_out = self.model.cell(x, s_in)
        self.pairs.append((s_in, s_out))
        self.last = s_out
        return s_out

    def backward(self, loss):
        loss.backward(retain_graph=True)
        newest_first = list(reversed(self.pairs))
        for (s_in, _), (_, prev_out) in zip(newest_first, newest_first[1:]):
            if s_in.grad is None:
                break
            g, s_in.grad = s_in.grad, None
            prev_out.backward(g, retain_graph=True)
        newest_first[-1][0].grad = None


def main():
    torch.manual_seed(2)
    x, theta = station(400)
    sites = torch.stack([x.roll(s, 0) for s in (0, 37, 90, 151)], 1)
    truth = torch.stack([theta.roll(s, 0) for s in (0, 37, 90, 151)], 1)
    model = Emulator()
    bptt = SlidingBPTT(model, K_BACK)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    every = K_BACK
    bptt.reset(4)
    recent = deque(maxlen=60)
    for t in range(x.size(0)):
        s = bptt.push(sites[t])
        err = (model.read(s).squeeze(1) - truth[t]).pow(2).mean()
        bptt.backward(err)
        recent.append(err.item())
        if (t + 1) % every == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
            bptt.pairs.clear()
        if t % 80 == 79:
            print(f"day {t + 1}: rmse {(sum(recent) / len(recent)) ** 0.5:.4f}")


if __name__ == "__main__":
    main()
