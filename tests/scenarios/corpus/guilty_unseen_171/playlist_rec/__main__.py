# gradwatch-corpus: kind=graph-chain
# holder: self.crowd | model.crowd
# first-bad: 1
"""Trains the playlist ranker on a stream of sessions (run with -m playlist_rec)."""
import argparse

import torch

from .data import SessionStream
from .model import TrendingTaste, bpr


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--chunks", type=int, default=420)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    stream = SessionStream(seed=args.seed)
    model = TrendingTaste(stream.n_tracks)
    opt = torch.optim.Adagrad(model.parameters(), lr=args.lr)

    hits, seen = 0, 0
    for i in range(args.chunks):
        played, liked, other = stream.next_chunk()
        pos, neg = model(played, liked, other)
        loss = bpr(pos, neg)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()

        hits += int((pos > neg.max(dim=1, keepdim=True).values).sum())
        seen += len(liked)
        if i % 60 == 59:
            print(f"chunk {i + 1}: bpr {loss.item():.4f}  hit@1of11 {hits / seen:.3f}")
            hits = seen = 0


if __name__ == "__main__":
    main()
