# gradwatch-corpus: kind=none
"""Fine-tuning the last block of a small CNN: frozen stem, feature distillation by hooks, accumulation."""
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class FinetuneConfig:
    classes: int = 5
    batch: int = 16
    accum: int = 4
    epochs: int = 3
    lr: float = 3e-3
    distill: float = 0.5
    seed: int = 31


def build(classes):
    stem = nn.Sequential(nn.Conv2d(3, 12, 3, 2, 1), nn.BatchNorm2d(12), nn.ReLU())
    block = nn.Sequential(nn.Conv2d(12, 24, 3, 2, 1), nn.BatchNorm2d(24), nn.ReLU())
    head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(24, classes))
    return nn.Sequential(stem, block, head)


class FeatureGrabber:
    def __init__(self, module):
        self.features = []
        self.handle = module.register_forward_hook(self)

    def __call__(self, module, args, out):
        self.features.append(out)

    def pop(self):
        return self.features.pop()

    def close(self):
        self.features.clear()
        self.handle.remove()


class Finetuner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.student = build(cfg.classes)
        self.teacher = copy.deepcopy(self.student).eval().requires_grad_(False)
        self.student[0].requires_grad_(False)
        self.opt = torch.optim.AdamW([p for p in self.student.parameters() if p.requires_grad], lr=cfg.lr)
        self.epoch_logits, self.epoch_labels = [], []

    def run_epoch(self, x, y):
        self.student.train()
        self.student[0].eval()
        grab_s, grab_t = FeatureGrabber(self.student[1]), FeatureGrabber(self.teacher[1])
        window_loss, losses = 0.0, []
        self.opt.zero_grad()
        for k, idx in enumerate(torch.randperm(len(x)).split(self.cfg.batch)):
            logits = self.student(x[idx])
            with torch.no_grad():
                self.teacher(x[idx])
            distill = F.mse_loss(grab_s.pop(), grab_t.pop())
            window_loss = window_loss + F.cross_entropy(logits, y[idx]) + self.cfg.distill * distill
            self.epoch_logits.append(logits.detach())
            self.epoch_labels.append(y[idx])
            if (k + 1) % self.cfg.accum == 0:
                (window_loss / self.cfg.accum).backward()
                self.opt.step()
                self.opt.zero_grad()
                losses.append(window_loss.item() / self.cfg.accum)
                window_loss = 0.0
        grab_s.close()
        grab_t.close()
        acc = (torch.cat(self.epoch_logits).argmax(1) == torch.cat(self.epoch_labels)).float().mean().item()
        self.epoch_logits.clear()
        self.epoch_labels.clear()
        return sum(losses) / len(losses), acc


def main():
    cfg = FinetuneConfig()
    torch.manual_seed(cfg.seed)
    y = torch.randint(0, cfg.classes, (640,))
    x = torch.randn(cfg.classes, 3, 20, 20)[y] * 0.7 + torch.randn(640, 3, 20, 20)
    tuner = Finetuner(cfg)
    for epoch in range(cfg.epochs):
        loss, acc = tuner.run_epoch(x, y)
        print(f"epoch {epoch} loss {loss:.4f} train acc {acc:.3f}")


if __name__ == "__main__":
    main()
