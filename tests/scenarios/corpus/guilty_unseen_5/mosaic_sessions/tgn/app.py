import argparse

import torch

from .events import Shop
from .model import StreamModel


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--batches", type=int, default=300)
    ap.add_argument("--per-batch", type=int, default=20)
    ap.add_argument("--lr", type=float, default=3e-3)
    opt = ap.parse_args(argv)
    torch.manual_seed(2024)
    shop = Shop(customers=480, categories=9, per_batch=opt.per_batch, seed=3)
    model = StreamModel(categories=9, width=28)
    learner = torch.optim.Adam(model.parameters(), lr=opt.lr)
    seen = right = 0
    for n, batch in enumerate(shop.stream(opt.batches)):
        loss, hits = model.digest(batch)
        learner.zero_grad()
        loss.backward()
        learner.step()
        seen, right = seen + len(batch.who), right + hits
        if n % 6 == 5:
            print(f"batch {n + 1:3d}  loss {loss.item():.4f}  acc {right / seen:.3f}  customers {len(model.memory)}")
            seen = right = 0
