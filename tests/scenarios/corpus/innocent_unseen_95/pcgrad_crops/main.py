# gradwatch-corpus: kind=none
"""Yield, moisture and disease from field sensors: multi-task training with PCGrad."""
import random

import torch

from ema import ModelEMA
from fields import FieldData
from mtl import MultiTaskNet, task_losses
from surgery import PCGrad


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    x, targets = data.validation()
    losses = task_losses(model(x), targets)
    model.train()
    return {k: v.item() for k, v in losses.items()}


def main(steps=320, accum=2, eval_every=80, patience=3):
    torch.set_num_threads(1)
    random.seed(6)
    torch.manual_seed(6)
    data = FieldData()
    model = MultiTaskNet(data.n_feat)
    ema = ModelEMA(model, 0.98)
    opt = PCGrad(torch.optim.Adam(model.parameters(), lr=2e-3), model)
    best, bad, log = float("inf"), 0, []
    for step in range(steps):
        opt.zero_grad()
        for _ in range(accum):
            x, targets = data.batch(24)
            losses = task_losses(model(x), targets)
            opt.accumulate(losses, scale=1.0 / accum)
        opt.step()
        ema.update(model)
        log.append({k: v.item() for k, v in losses.items()})
        if (step + 1) % eval_every == 0:
            val = evaluate(ema.shadow, data)
            total = sum(val.values())
            best, bad = (total, 0) if total < best else (best, bad + 1)
            print(step + 1, {k: round(v, 4) for k, v in val.items()}, f"conflicts {opt.conflicts}")
            if bad >= patience:
                break
    print("best total %.4f after %d steps" % (best, len(log)))


if __name__ == "__main__":
    main()
