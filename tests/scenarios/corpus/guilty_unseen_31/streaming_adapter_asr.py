# gradwatch-corpus: kind=graph-chain
# holder: session.state.h | state.h | state | self.state.h | self.state | session.state
# first-bad: 1
"""Tune a small input adapter in front of a frozen streaming encoder.

Audio arrives as one long recording; the encoder is run chunk by chunk so that
we see the same left context as the deployed recogniser.
"""
import argparse
import math
from dataclasses import dataclass, replace

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class StreamState:
    h: torch.Tensor
    frames_seen: int = 0

    def advance(self, h, n):
        return replace(self, h=h, frames_seen=self.frames_seen + n)  # <- culprit


def fake_filterbanks(n_frames, n_mels, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n_frames, dtype=torch.float32)
    base = torch.stack([torch.sin(2 * math.pi * t * (k + 1) / 160.0) for k in range(n_mels)], dim=1)
    noise = 0.3 * torch.randn(n_frames, n_mels, generator=g)
    labels = (torch.sin(2 * math.pi * t / 97.0) > 0).long() + 2 * (torch.cos(2 * math.pi * t / 41.0) > 0).long()
    return base * 0.5 + noise, labels


class FrozenEncoder(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_out)
        self.requires_grad_(False)

    def initial_state(self, batch):
        return StreamState(h=torch.zeros(1, batch, self.rnn.hidden_size))

    def forward(self, feats, state):
        y, h = self.rnn(feats, state.h)  # <- culprit
        return self.out(y), state.advance(h, feats.size(1))  # <- culprit


class StreamingSession:
    def __init__(self, encoder, adapter, batch):
        self.encoder = encoder
        self.adapter = adapter
        self.state = encoder.initial_state(batch)

    def feed(self, chunk):
        logits, self.state = self.encoder(self.adapter(chunk), self.state)  # <- culprit
        return logits


def chunks(feats, labels, size):
    for s in range(0, feats.size(1) - size + 1, size):
        yield feats[:, s:s + size], labels[:, s:s + size]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--chunk", type=int, default=8)
    p.add_argument("--frames", type=int, default=640)
    p.add_argument("--mels", type=int, default=20)
    p.add_argument("--lr", type=float, default=3e-3)
    args = p.parse_args()

    torch.manual_seed(11)
    pairs = [fake_filterbanks(args.frames, args.mels, seed) for seed in range(4)]
    feats = torch.stack([f for f, _ in pairs])
    labels = torch.stack([y for _, y in pairs])

    encoder = FrozenEncoder(args.mels, 32, 4)
    adapter = nn.Linear(args.mels, args.mels)
    nn.init.eye_(adapter.weight)
    opt = torch.optim.Adam(adapter.parameters(), lr=args.lr)
    session = StreamingSession(encoder, adapter, batch=feats.size(0))

    for i, (x, y) in enumerate(chunks(feats, labels, args.chunk)):
        logits = session.feed(x)
        loss = F.cross_entropy(logits.reshape(-1, 4), y.reshape(-1))
        opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(adapter.parameters(), 5.0)
        opt.step()
        if i % 20 == 0:
            print(f"chunk {i:3d}  frames {session.state.frames_seen:4d}  ce {loss.item():.4f}")
    print("adapter deviation from identity:",
          round((adapter.weight - torch.eye(args.mels)).norm().item(), 3))


if __name__ == "__main__":
    main()
