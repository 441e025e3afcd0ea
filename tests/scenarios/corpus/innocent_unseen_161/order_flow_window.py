# gradwatch-corpus: kind=none
"""Short-horizon order flow model: the loss covers a sliding window of recent ticks."""
from collections import deque

import numpy as np
import torch
from torch import nn


class FlowNet(nn.Module):
    def __init__(self, feats=6, dim=16):
        super().__init__()
        self.embed = nn.Linear(feats, dim)
        self.attn = nn.Linear(dim, 1)
        self.out = nn.Linear(dim, 1)
        self.context = deque(maxlen=5)

    def push(self, tick):
        self.context.append(torch.tanh(self.embed(tick)))

    def forward(self):
        mem = torch.stack(list(self.context), 1)
        w = self.attn(mem).softmax(1)
        return self.out((w * mem).sum(1)).squeeze(-1)


def ticks(n, symbols, seed):
    rng = np.random.default_rng(seed)
    lag = np.zeros((symbols, 6), dtype=np.float32)
    for _ in range(n):
        cur = rng.normal(size=(symbols, 6)).astype(np.float32)
        lag = 0.7 * lag + cur
        yield torch.from_numpy(cur), torch.from_numpy(np.tanh(lag[:, 0] - lag[:, 3]))


class Fitter:
    def __init__(self, net, update_every):
        self.net, self.every = net, update_every
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
        self.pending = []

    def on_tick(self, cur, move):
        self.net.push(cur)
        self.pending.append((self.net() - move).pow(2).mean())
        if len(self.pending) < self.every:
            return None
        loss = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pending.clear()
        self.net.context.clear()
        return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(10)
    fitter, hist = Fitter(FlowNet(), 8), []
    for cur, move in ticks(800, 20, 10):
        out = fitter.on_tick(cur, move)
        if out is not None:
            hist.append(out)
            if len(hist) % 25 == 0:
                print(f"update {len(hist)} mse {sum(hist[-25:]) / 25:.4f}")


if __name__ == "__main__":
    main()
