"""Metric mixins. Each hooks after_batch and adds its lines to summary()."""
import torch

from tiles import CLASSES


class PixelAccuracyMixin:
    _right = 0
    _seen = 0

    def after_batch(self, logits, target, loss):
        super().after_batch(logits, target, loss)
        self._right += int((logits.argmax(1) == target).sum())
        self._seen += target.numel()

    def summary(self):
        return {**super().summary(), "acc": self._right / max(self._seen, 1)}


class SoftIoUMixin:
    """IoU from the class probabilities rather than the argmax; smoother on small water bodies."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._inter = torch.zeros(len(CLASSES))
        self._union = torch.zeros(len(CLASSES))

    def after_batch(self, logits, target, loss):
        super().after_batch(logits, target, loss)
        probs = logits.softmax(dim=1)  # <- culprit
        hot = torch.zeros_like(probs).scatter_(1, target.unsqueeze(1), 1.0)
        both = (probs * hot).sum(dim=(0, 2, 3))
        either = (probs + hot).sum(dim=(0, 2, 3)) - both
        self._inter += both  # <- culprit
        self._union += either  # <- culprit

    def summary(self):
        iou = (self._inter / self._union.clamp_min(1e-6)).tolist()
        return {**super().summary(), **{f"iou/{name}": v for name, v in zip(CLASSES, iou)}}


class ConsoleMixin:
    every = 50

    def after_batch(self, logits, target, loss):
        super().after_batch(logits, target, loss)
        if (self.step + 1) % self.every == 0:
            row = " ".join(f"{k}={v:.3f}" for k, v in self.summary().items())
            print(f"[{self.step + 1:4d}] loss={loss.item():.3f} {row}")
