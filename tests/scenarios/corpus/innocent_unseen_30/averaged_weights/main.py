# gradwatch-corpus: kind=none
"""Soil-moisture regression with Lookahead around Adam, an EMA copy, SWA towards the end and best-model snapshots."""
import copy

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, SWALR

from averaging import EMA, BestKeeper, Lookahead

CFG = dict(steps=300, swa_from=200, swa_every=10, val_every=20, batch=40, lr=5e-3)


def field(n, gen):
    x = torch.rand(n, 6, generator=gen) * 2 - 1
    y = torch.sin(3 * x[:, 0]) * x[:, 1] + x[:, 2] ** 2 - 0.5 * x[:, 3]
    return x, y + 0.1 * torch.randn(n, generator=gen)


@torch.no_grad()
def score(model, data):
    was = model.training
    model.eval()
    x, y = data
    out = nn.functional.mse_loss(model(x).squeeze(1), y).item()
    model.train(was)
    return out


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(34)
    model = nn.Sequential(nn.Linear(6, 48), nn.LayerNorm(48), nn.GELU(), nn.Dropout(0.05), nn.Linear(48, 1))
    opt = Lookahead(torch.optim.Adam(model.parameters(), lr=CFG["lr"]), k=5, alpha=0.5)
    ema = EMA(model, decay=0.97)
    swa = AveragedModel(model)
    swa_lr = SWALR(opt.base, swa_lr=1e-3, anneal_epochs=5)
    best = BestKeeper(keep=3)
    val = field(200, gen)

    for step in range(CFG["steps"]):
        x, y = field(CFG["batch"], gen)
        loss = nn.functional.mse_loss(model(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        if step >= CFG["swa_from"] and step % CFG["swa_every"] == 0:
            swa.update_parameters(model)
            swa_lr.step()
        if (step + 1) % CFG["val_every"] == 0:
            v = score(ema.shadow, val)
            best.offer(v, copy.deepcopy(ema.shadow.state_dict()), step)
            if (step + 1) % 100 == 0:
                print(f"{step + 1}: raw {score(model, val):.4f} ema {v:.4f} kept {best.steps()}")
    print(f"swa {score(swa, val):.4f} best {best.top():.4f}")


if __name__ == "__main__":
    main()
