# gradwatch-corpus: kind=graph-chain
# holder: self.slow | anchor.slow
# first-bad: 1
"""Promoter / non-promoter classification with a proximal term to slow weights."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BASES = "ACGT"


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--length", type=int, default=80)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--mu", type=float, default=0.05)
    p.add_argument("--decay", type=float, default=0.98)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args([])


def one_hot(seqs):
    out = np.zeros((len(seqs), 4, len(seqs[0])), dtype=np.float32)
    for i, s in enumerate(seqs):
        for j, c in enumerate(s):
            out[i, BASES.index(c), j] = 1.0
    return torch.from_numpy(out)


def sample(rng, n, length):
    seqs = []
    labels = []
    for _ in range(n):
        s = [BASES[k] for k in rng.integers(0, 4, length)]
        label = int(rng.integers(0, 2))
        if label == 1:
            pos = int(rng.integers(10, length - 16))
            s[pos:pos + 6] = list("TATAAT")
        seqs.append("".join(s))
        labels.append(label)
    return one_hot(seqs), torch.tensor(labels)


class MotifNet(nn.Module):
    def __init__(self, n_motifs=24):
        super().__init__()
        self.conv = nn.Conv1d(4, n_motifs, 8)
        self.fc1 = nn.Linear(n_motifs, 32)
        self.fc2 = nn.Linear(32, 2)

    def forward(self, x):
        h = F.relu(self.conv(x))
        h = h.amax(dim=2)
        h = F.relu(self.fc1(h))
        return self.fc2(h)


class SlowWeights:
    def __init__(self, net, decay):
        self.decay = decay
        self.slow = {n: p.detach().clone() for n, p in net.named_parameters()}

    def update(self, net):
        for name, p in net.named_parameters():
            self.slow[name] = torch.lerp(self.slow[name], p, 1 - self.decay)  # <- culprit

    def distance(self, net):
        total = 0.0
        for name, p in net.named_parameters():
            total = total + (p - self.slow[name]).pow(2).sum()
        return total


def main():
    args = parse()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    net = MotifNet()
    anchor = SlowWeights(net, args.decay)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    hits = 0
    seen = 0
    for step in range(args.steps):
        x, y = sample(rng, args.batch, args.length)
        opt.zero_grad()
        logits = net(x)
        ce = F.cross_entropy(logits, y)
        prox = anchor.distance(net)
        loss = ce + args.mu * prox
        loss.backward()
        opt.step()
        anchor.update(net)
        hits += (logits.argmax(1) == y).sum().item()
        seen += len(y)
        if (step + 1) % 25 == 0:
            print(f"{step + 1:4d} ce {ce.item():.3f} prox {prox.item():.4f} acc {hits / seen:.3f}")
            hits = 0
            seen = 0


if __name__ == "__main__":
    main()
