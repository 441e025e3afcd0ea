# gradwatch-corpus: kind=none
from types import SimpleNamespace

import torch

from ranker.accumulate import Accelerator
from ranker.losses import LOSSES
from ranker.model import Scorer

args = SimpleNamespace(loss="lambda_rank", fin=22, hidden=32, depth=2, lr=2e-3, micro=4, steps=160, docs=12)


def query_groups(cfg):
    w = torch.randn(cfg.fin)
    for _ in range(cfg.steps):
        x = torch.randn(8, cfg.docs, cfg.fin)
        latent = x @ w / cfg.fin ** 0.5
        yield x, torch.bucketize(latent, torch.tensor([-0.5, 0.5, 1.2]))


def main(cfg):
    torch.manual_seed(64)
    model = Scorer(cfg.fin, cfg.hidden, cfg.depth)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    accelerator = Accelerator(model, optimizer, cfg.micro, clip=2.0)
    criterion = LOSSES[cfg.loss]
    for x, grades in query_groups(cfg):
        with accelerator.accumulate() as acc:
            acc.backward(criterion(model(x), grades))
            if acc.boundary and acc.updates % 10 == 0:
                print(f"update {acc.updates:3d} window loss {acc.window_loss().item():.4f}")
    print("updates", accelerator.updates)


if __name__ == "__main__":
    main(args)
