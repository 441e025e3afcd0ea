# gradwatch-corpus: kind=none
"""Streaming voice-activity detector: GRU over endless audio features, truncated at each chunk."""
import argparse

import torch
from torch import nn


class FeatureStream:
    """Endless parallel streams of frames which alternate between speech and noise."""

    def __init__(self, streams, dim):
        self.speech = torch.zeros(streams)
        self.direction = torch.randn(dim)
        self.dim = dim

    def chunk(self, frames):
        feats, labels = [], []
        for _ in range(frames):
            switch = (torch.rand_like(self.speech) < 0.08).float()
            self.speech = (self.speech - switch).abs()
            noise = 1.5 * torch.randn(len(self.speech), self.dim)
            feats.append(noise + self.speech.unsqueeze(1) * self.direction)
            labels.append(self.speech)
        return torch.stack(feats, 1), torch.stack(labels, 1)


class StreamingVAD(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.gru = nn.GRU(dim, width, batch_first=True)
        self.head = nn.Linear(width, 1)
        self.state = None

    def forward(self, feats):
        out, self.state = self.gru(self.norm(feats), self.state)
        return self.head(out).squeeze(-1)

    def truncate(self):
        """Keep the state's values for the next chunk, not its history."""
        self.state = self.state.detach()

    def restart(self, lanes):
        """Start some of the streams anew."""
        keep = torch.ones(self.state.size(1), 1)
        keep[lanes] = 0.0
        self.state = self.state * keep


def smoothness(logits):
    """Penalise flickering decisions between neighbouring frames."""
    p = torch.sigmoid(logits)
    return (p[:, 1:] - p[:, :-1]).abs().mean()


def train(args):
    stream = FeatureStream(args.streams, args.dim)
    vad = StreamingVAD(args.dim, args.width)
    optimizer = torch.optim.Adam(vad.parameters(), lr=args.lr)
    bce = nn.BCEWithLogitsLoss()
    history = []
    for step in range(args.chunks):
        feats, labels = stream.chunk(args.frames)
        logits = vad(feats)
        loss = bce(logits, labels) + args.smooth * smoothness(logits)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(vad.parameters(), 1.0)
        optimizer.step()
        vad.truncate()
        if (step + 1) % 25 == 0:
            vad.restart(torch.randperm(args.streams)[: args.streams // 4])
        acc = ((logits > 0).float() == labels).float().mean()
        history.append((loss.item(), acc.item()))
        if (step + 1) % 40 == 0:
            last = history[-40:]
            print(f"chunk {step + 1}: loss {sum(r[0] for r in last) / 40:.4f} "
                  f"acc {sum(r[1] for r in last) / 40:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--streams", type=int, default=12)
    ap.add_argument("--frames", type=int, default=16)
    ap.add_argument("--dim", type=int, default=10)
    ap.add_argument("--width", type=int, default=24)
    ap.add_argument("--chunks", type=int, default=200)
    ap.add_argument("--smooth", type=float, default=0.05)
    ap.add_argument("--lr", type=float, default=3e-3)
    torch.set_num_threads(1)
    torch.manual_seed(31)
    train(ap.parse_args())
