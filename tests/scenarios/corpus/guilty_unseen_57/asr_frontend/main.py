# gradwatch-corpus: kind=memory-climb
# holder: self._memo | feats._memo | self.frontend._memo | corpus.frontend._memo | loader.frontend._memo | frontend._memo
# first-bad: 1
# notice: 100
"""Keyword spotting with speed perturbation; log-spectra are cached by the frontend."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

from frontend import LogSpec, SpeedPerturb


class Corpus:
    def __init__(self, n_utt, n_kw, n_samples=8000):
        t = torch.arange(n_samples) / 8000.0
        self.kw = torch.randint(0, n_kw, (n_utt,))
        pitch = 200 + 150 * self.kw[:, None].float()
        self.wav = torch.sin(6.2832 * pitch * t) + 0.3 * torch.randn(n_utt, n_samples)
        self.frontend = LogSpec()
        self.perturb = SpeedPerturb(0.9, 1.1)

    def batch(self, ids):
        feats = [self.frontend(i, self.wav[i], self.perturb.draw()) for i in ids]
        n = min(f.size(0) for f in feats)
        return torch.stack([f[:n] for f in feats]), self.kw[ids]


class TDNN(nn.Module):
    def __init__(self, n_bins, n_kw, d=24):
        super().__init__()
        self.c1 = nn.Conv1d(n_bins, d, 5, dilation=1)
        self.c2 = nn.Conv1d(d, d, 3, dilation=2)
        self.out = nn.Linear(2 * d, n_kw)

    def forward(self, x):
        h = F.relu(self.c2(F.relu(self.c1(x.transpose(1, 2)))))
        return self.out(torch.cat([h.mean(-1), h.std(-1)], -1))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--utts", type=int, default=64)
    ap.add_argument("--keywords", type=int, default=6)
    ap.add_argument("--epochs", type=int, default=22)
    ap.add_argument("--batch", type=int, default=8)
    args = ap.parse_args()
    torch.manual_seed(6)
    torch.set_num_threads(1)
    corpus = Corpus(args.utts, args.keywords)
    model = TDNN(129, args.keywords)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        right = 0
        for ids in torch.randperm(args.utts).split(args.batch):
            x, y = corpus.batch(ids.tolist())
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            right += int((logits.argmax(-1) == y).sum())
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} loss {loss.item():.3f} acc {right / args.utts:.3f}")


if __name__ == "__main__":
    main()
