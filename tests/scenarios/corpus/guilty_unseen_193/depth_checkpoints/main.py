# gradwatch-corpus: kind=graph-held
# holder: ckpt.index | self.index | entry
# first-bad: 1
import tempfile
import types

import torch
from torch import nn

from checkpoint import CheckpointManager
from losses import abs_rel, edge_smoothness, silog

cfg = types.SimpleNamespace(steps=410, batch=2, size=16, width=8, lr=1e-3, smooth=0.1, save_every=200, seed=21)


class DepthNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.ELU(), nn.Conv2d(width, width, 3, padding=1), nn.ELU(),
            nn.Conv2d(width, 1, 3, padding=1), nn.Softplus())

    def forward(self, x):
        return self.net(x) + 0.05


def scene(g):
    img = torch.rand(cfg.batch, 3, cfg.size, cfg.size, generator=g)
    depth = 0.5 + img.mean(1, keepdim=True) * 2
    return img, depth


def fit(folder):
    torch.manual_seed(cfg.seed)
    g = torch.Generator().manual_seed(cfg.seed)
    model = DepthNet(cfg.width)
    optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(optim, max_lr=5 * cfg.lr, total_steps=cfg.steps)
    ckpt = CheckpointManager(folder)
    for step in range(cfg.steps):
        img, depth = scene(g)
        pred = model(img)
        data_term = silog(pred, depth)
        smooth_term = edge_smoothness(pred, img)
        loss = data_term + cfg.smooth * smooth_term
        optim.zero_grad()
        loss.backward()
        optim.step()
        sched.step()
        ckpt.consider(step, model, {
            "score": loss.item(),
            "silog": data_term.item(),
            "abs_rel": abs_rel(pred, depth),  # <- culprit
            "lr": sched.get_last_lr()[0],
        })
        if (step + 1) % cfg.save_every == 0:
            ckpt.save(step, model, optim)
            print(ckpt.table(1), "best", ckpt.best[1])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        fit(tmp)
