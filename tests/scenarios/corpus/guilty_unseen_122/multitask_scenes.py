# gradwatch-corpus: kind=second-backward
# holder: feats
# first-bad: 0
# notice: 0
"""Joint depth + segmentation on toy scenes. Everything is driven by SETTINGS."""
import torch

torch.set_num_threads(1)
from torch import nn
from types import SimpleNamespace as NS

SETTINGS = NS(
    seed=8, size=10, batch=6, steps=300, width=8,
    tasks={"depth": NS(out=1, weight=1.0), "seg": NS(out=3, weight=0.5)},
    optim=NS(cls="SGD", kw=dict(lr=0.05, momentum=0.9)),
)


def scene_batch(cfg):
    depth = torch.linspace(0, 1, cfg.size).view(1, 1, -1, 1).expand(cfg.batch, 1, cfg.size, cfg.size).clone()
    seg = torch.zeros(cfg.batch, cfg.size, cfg.size, dtype=torch.long)
    img = depth.repeat(1, 3, 1, 1) + 0.1 * torch.randn(cfg.batch, 3, cfg.size, cfg.size)
    for b in range(cfg.batch):
        r0, c0 = torch.randint(0, cfg.size - 3, (2,)).tolist()
        k = int(torch.randint(1, 3, (1,)))
        seg[b, r0:r0 + 3, c0:c0 + 3] = k
        depth[b, :, r0:r0 + 3, c0:c0 + 3] = 0.1 * k
        img[b, k, r0:r0 + 3, c0:c0 + 3] += 1.0
    return img, {"depth": depth, "seg": seg}


def build(cfg):
    trunk = nn.Sequential(nn.Conv2d(3, cfg.width, 3, padding=1), nn.ReLU(),
                          nn.Conv2d(cfg.width, cfg.width, 3, padding=1), nn.ReLU())
    heads = nn.ModuleDict({t: nn.Conv2d(cfg.width, s.out, 1) for t, s in cfg.tasks.items()})
    return trunk, heads


CRITERIA = {"depth": nn.L1Loss(), "seg": nn.CrossEntropyLoss()}


def backward_tasks(cfg, heads, feats, labels):
    report = {}
    for task, spec in cfg.tasks.items():
        loss = spec.weight * CRITERIA[task](heads[task](feats), labels[task])
        loss.backward()  # <- culprit
        report[task] = loss.item()
    return report


def run(cfg):
    torch.manual_seed(cfg.seed)
    trunk, heads = build(cfg)
    opt = getattr(torch.optim, cfg.optim.cls)([*trunk.parameters(), *heads.parameters()], **cfg.optim.kw)
    for step in range(cfg.steps):
        img, labels = scene_batch(cfg)
        opt.zero_grad()
        report = backward_tasks(cfg, heads, trunk(img), labels)
        opt.step()
        if step % 60 == 0:
            print(step, report)


run(SETTINGS)
