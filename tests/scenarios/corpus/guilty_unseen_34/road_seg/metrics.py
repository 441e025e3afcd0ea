"""Metrics in the style of update / compute / reset."""
import torch


class SegmentationMeter:
    def __init__(self, n_classes, eps=1e-6):
        self.n_classes = n_classes
        self.eps = eps
        self.reset()

    def reset(self):
        self.logits = []
        self.targets = []

    def update(self, logits, targets):
        self.logits.append(logits.cpu())  # <- culprit
        self.targets.append(targets.cpu())

    def compute(self):
        pred = torch.cat(self.logits).argmax(1)
        target = torch.cat(self.targets)
        ious = []
        for c in range(self.n_classes):
            p, t = pred == c, target == c
            inter = (p & t).sum().float()
            union = (p | t).sum().float()
            ious.append(((inter + self.eps) / (union + self.eps)).item())
        acc = (pred == target).float().mean().item()
        return {"miou": sum(ious) / len(ious), "acc": acc, "per_class": ious}
