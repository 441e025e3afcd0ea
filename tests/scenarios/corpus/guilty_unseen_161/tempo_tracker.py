# gradwatch-corpus: kind=graph-unused
"""Tempo estimation from onset envelopes; checked on a dev set after each update."""
import math

import torch
from torch import nn


class OnsetBank:
    def __init__(self, n, frames, seed):
        g = torch.Generator().manual_seed(seed)
        bpm = torch.rand(n, generator=g) * 90 + 70
        t = torch.arange(frames) / 50.0
        phase = torch.rand(n, 1, generator=g) * 2 * math.pi
        env = torch.cos(2 * math.pi * bpm[:, None] / 60 * t + phase).clamp_min(0) ** 4
        self.env = env + 0.1 * torch.rand(n, frames, generator=g)
        self.target = (bpm - 115) / 30

    def batches(self, size, shuffle=True):
        order = torch.randperm(len(self.env)) if shuffle else torch.arange(len(self.env))
        for idx in order.split(size):
            yield self.env[idx].unsqueeze(1), self.target[idx]


class TempoNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv1d(1 if i == 0 else c, c, 5, padding=2 * 2 ** i, dilation=2 ** i) for i in range(4)])
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(2 * c, 1)

    def forward(self, x):
        for i, conv in enumerate(self.layers):
            y = nn.functional.elu(conv(x))
            x = y if i == 0 else x + self.drop(y)
        return self.head(torch.cat([x.mean(-1), x.std(-1)], -1)).squeeze(-1)


class Evaluator:
    def __init__(self, bank):
        self.bank = bank
        self.best = float("inf")

    def __call__(self, net):
        net.eval()
        err, n = 0.0, 0
        for env, target in self.bank.batches(16, shuffle=False):
            pred = net(env)  # <- culprit
            err += (pred - target).abs().sum().item() * 30
            n += len(target)
        net.train()
        self.best = min(self.best, err / n)
        return err / n


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    train, dev = OnsetBank(240, 150, 0), OnsetBank(64, 150, 1)
    net, evaluate = TempoNet(), Evaluator(dev)
    opt = torch.optim.NAdam(net.parameters(), lr=3e-3)
    step = 0
    for epoch in range(5):
        for env, target in train.batches(16):
            loss = nn.functional.huber_loss(net(env), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            mae = evaluate(net)  # <- culprit
            step += 1
        print(f"epoch {epoch} step {step} dev {mae:.2f} bpm (best {evaluate.best:.2f})")


if __name__ == "__main__":
    main()
