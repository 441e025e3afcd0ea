# gradwatch-corpus: kind=graph-chain
# holder: self.floor | model.tracker.floor
# first-bad: 1
from __future__ import annotations

import torch
import torch.nn.functional as F

from config import RadarConfig
from nets import RadarNet
from scene import RadarScene


def fit(cfg: RadarConfig) -> RadarNet:
    torch.manual_seed(cfg.seed)
    scene = RadarScene(cfg)
    model = RadarNet(cfg)
    optim = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, T_max=cfg.steps)

    smooth = 0.0
    for step in range(cfg.steps):
        frame = scene.frame()
        pred = model(frame.cells)
        loss = F.smooth_l1_loss(pred, frame.velocity)
        optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optim.step()
        sched.step()
        smooth = 0.9 * smooth + 0.1 * loss.item()
        if step % 20 == 0:
            gap = (model.tracker.floor.detach() - scene.floor).abs().mean().item()
            print(f"[{step:3d}] loss {loss.item():.4f} (avg {smooth:.4f}) floor gap {gap:.3f}")
    return model


def evaluate(model: RadarNet, cfg: RadarConfig) -> float:
    model.eval()
    scene = RadarScene(cfg)
    total = 0.0
    with torch.no_grad():
        for _ in range(5):
            frame = scene.frame()
            total += F.l1_loss(model.head(frame.cells - scene.floor[None, :, None]), frame.velocity).item()
    return total / 5


if __name__ == "__main__":
    config = RadarConfig()
    net = fit(config)
    print(f"eval mae {evaluate(net, config):.4f}")
