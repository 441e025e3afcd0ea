# gradwatch-corpus: kind=none
import argparse

import torch

from memory import NegativeQueue, RankHistory
from model import SessionEncoder, info_nce


def clicks(step: int, n: int, items: int, length: int = 8):
    g = torch.Generator().manual_seed(step)
    start = torch.randint(items, (n, 1), generator=g)
    drift = torch.randint(0, 9, (n, length), generator=g).cumsum(1)
    seq = (start + drift) % items
    return seq[:, :-1], seq[:, -1]


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=500)
    ap.add_argument("--items", type=int, default=2000)
    ap.add_argument("--dim", type=int, default=24)
    ap.add_argument("--queue", type=int, default=20)
    cfg = ap.parse_args()

    torch.manual_seed(1)
    enc = SessionEncoder(cfg.items, cfg.dim)
    opt = torch.optim.Adam(enc.parameters(), 3e-3)
    queue, ranks = NegativeQueue(cfg.queue), RankHistory()
    for step in range(cfg.steps):
        seq, nxt = clicks(step, 16, cfg.items)
        ctx, target = enc(seq), enc.item(nxt)
        loss, logits = info_nce(ctx, target, queue.stacked())
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue.push(target)
        ranks.add(logits)
        if step % 100 == 0:
            print(step, f"{loss.item():.3f}", f"mrr {ranks.mrr():.3f}", len(queue.blocks))


if __name__ == "__main__":
    main()
