# gradwatch-corpus: kind=none
"""Concrete strength regression; the best checkpoints stay in memory and are averaged into a soup."""
import torch
from torch import nn

from .keep import BestCheckpoints
from .mixes import mixes

torch.manual_seed(33)
torch.set_num_threads(1)


def build():
    return nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 16), nn.SiLU(), nn.Linear(16, 1))


def mse(model, x, y):
    return nn.functional.mse_loss(model(x).squeeze(-1), y)


def main():
    model = build()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-2, total_steps=180)
    keep = BestCheckpoints(3)
    xv, yv = mixes(200)
    for step in range(180):
        loss = mse(model, *mixes(32))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 6 == 5:
            with torch.no_grad():
                keep.offer(mse(model, xv, yv).item(), step, model)
    soup = build()
    soup.load_state_dict(keep.soup())
    print([(s, round(v, 4)) for v, s, _ in keep.sorted()], f"soup {mse(soup, xv, yv).item():.4f}")


main()
