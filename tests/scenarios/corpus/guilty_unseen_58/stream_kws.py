# gradwatch-corpus: kind=graph-chain
# holder: h | self.h | self.encoder.h | kws.encoder.h | encoder.h | state
# first-bad: 1
"""Adapting the classifier head of a streaming keyword spotter on an endless audio stream.
The encoder is pretrained and stays as it is; only the head gets gradients."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def audio_stream(chunk, n_mels, gen):
    """yields (features [chunk, n_mels], keyword id)"""
    t = 0
    while True:
        kw = int(torch.randint(0, 4, (1,), generator=gen))
        tt = torch.arange(t, t + chunk).float()
        base = torch.sin(tt[:, None] * (0.1 + 0.2 * kw) + torch.arange(n_mels) * math.pi / n_mels)
        yield base + 0.2 * torch.randn(chunk, n_mels, generator=gen), torch.tensor([kw])
        t += chunk


class StreamingEncoder(nn.Module):
    def __init__(self, n_mels, dim):
        super().__init__()
        self.norm = nn.LayerNorm(n_mels)
        self.cell = nn.GRUCell(n_mels, dim)
        self.h = None

    def forward(self, feats):
        h = self.h if self.h is not None else feats.new_zeros(1, self.cell.hidden_size)  # <- culprit
        outs = []
        for frame in self.norm(feats):
            h = self.cell(frame[None], h)
            outs.append(h)
        self.h = h  # <- culprit
        return torch.stack(outs, 1)


class KeywordSpotter(nn.Module):
    def __init__(self, n_mels=20, dim=32, n_kw=4):
        super().__init__()
        self.encoder = StreamingEncoder(n_mels, dim)
        self.head = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, n_kw))

    def forward(self, feats):
        enc = self.encoder(feats)  # <- culprit
        return self.head(enc.mean(1))


def adapt(args):
    gen = torch.Generator().manual_seed(args.seed)
    kws = KeywordSpotter()
    head_params = list(kws.head.parameters())
    opt = torch.optim.Adam(head_params, lr=args.lr)
    hits = 0
    for i, (feats, label) in enumerate(audio_stream(args.chunk, 20, gen)):
        if i == args.n_chunks:
            break
        logits = kws(feats)
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward(inputs=head_params)
        opt.step()
        hits += int(logits.argmax(-1) == label)
        if (i + 1) % 40 == 0:
            print(f"chunk {i + 1}  loss {loss.item():.3f}  acc {hits / (i + 1):.2f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--n-chunks", type=int, default=160)
    ap.add_argument("--chunk", type=int, default=10)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    adapt(args)
