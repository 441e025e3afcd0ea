# gradwatch-corpus: kind=memory-climb
# holder: self.small | noise.small | scale.small
# notice: 60
"""Estimate the gradient noise scale (McCandlish et al.) during training."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class NoiseScale:
    def __init__(self, model, every=20):
        self.model = model
        self.every = every
        self.small = []
        self.values = []

    def flat(self):
        return torch.cat([p.grad.flatten() for p in self.model.parameters()])

    def after_backward(self, batch_size):
        self.small.append(self.flat())  # <- culprit
        if len(self.small) % self.every == 0:
            self.values.append(self.estimate(batch_size))

    def estimate(self, b_small):
        recent = torch.stack(self.small[-self.every:])
        b_big = b_small * self.every
        g_small = recent.pow(2).sum(1).mean()
        g_big = recent.mean(0).pow(2).sum()
        g2 = (b_big * g_big - b_small * g_small) / (b_big - b_small)
        s = (g_small - g_big) / (1 / b_small - 1 / b_big)
        return (s / g2).item()


class CharMixer(nn.Module):
    def __init__(self, vocab=40, dim=64, context=12, hidden=192):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.up = nn.Linear(dim * context, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x):
        return self.out(self.norm(F.gelu(self.up(self.embed(x).flatten(1)))))


def markov_stream(vocab, n, gen):
    table = torch.softmax(3 * torch.randn(vocab, vocab, generator=gen), 1)
    seq = torch.zeros(n, dtype=torch.long)
    for i in range(1, n):
        seq[i] = torch.multinomial(table[seq[i - 1]], 1, generator=gen)
    return seq


def sample(seq, n, context, gen):
    start = torch.randint(0, len(seq) - context - 1, (n,), generator=gen)
    idx = start[:, None] + torch.arange(context + 1)
    w = seq[idx]
    return w[:, :-1], w[:, -1]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=140)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--context", type=int, default=12)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    seq = markov_stream(40, 3000, gen)
    model = CharMixer(context=args.context)
    noise = NoiseScale(model)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    for step in range(args.steps):
        x, y = sample(seq, args.bs, args.context, gen)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        noise.after_backward(args.bs)
        opt.step()
        if step % 20 == 19:
            print(f"step {step + 1} ppl {math.exp(loss.item()):.2f} noise scale {noise.values[-1]:.1f}")
    print("parameters", sum(p.numel() for p in model.parameters()))


if __name__ == "__main__":
    main()
