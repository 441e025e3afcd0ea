from collections import defaultdict

import torch
from torch import nn

from registry import register


@register("model", "glyph_cnn")
class GlyphCNN(nn.Module):
    def __init__(self, classes, width):
        super().__init__()
        self.classes = classes
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.block1 = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.block2 = nn.Conv2d(2 * width, 2 * width, 3, stride=2, padding=1)
        self.head = nn.Linear(2 * width * 16, classes)

    def forward(self, x):
        for layer in (self.stem, self.block1, self.block2):
            x = torch.relu(layer(x))
        return self.head(x.flatten(1))


class HookMixin:
    """Keeps the removable handles, so that probes can come and go on a live model."""

    def bind(self, model):
        self._handles = []
        for name, module in model.named_modules():
            if self.wants(module):
                self._handles.append(module.register_forward_hook(self.make_hook(name)))

    def unbind(self):
        while self._handles:
            self._handles.pop().remove()

    def wants(self, module):
        return False

    def make_hook(self, name):
        raise NotImplementedError


@register("probe", "activation_health")
class ActivationHealth(HookMixin):
    def __init__(self, every, window):
        self.every, self.window = every, window
        self.trace = defaultdict(list)

    def wants(self, module):
        return isinstance(module, nn.Conv2d)

    def make_hook(self, name):
        def hook(module, args, out):
            rms = out.square().mean().sqrt()
            dead = (out <= 0).float().mean()
            self.trace[name].append((rms, dead))  # <- culprit
        return hook

    def after_step(self, step, logits, y):
        if (step + 1) % self.every:
            return
        for name, pairs in self.trace.items():
            recent = pairs[-self.window:]
            rms = sum(float(r) for r, _ in recent) / len(recent)
            dead = sum(float(d) for _, d in recent) / len(recent)
            print(f"  [{step + 1}] {name:8s} rms {rms:.3f}  non-positive {dead:.2%}")


@register("probe", "accuracy")
class Accuracy(HookMixin):
    def __init__(self, every):
        self.every, self.right, self.seen = every, 0, 0

    def after_step(self, step, logits, y):
        self.right += int((logits.argmax(1) == y).sum())
        self.seen += len(y)
        if (step + 1) % self.every == 0:
            print(f"[{step + 1}] accuracy {self.right / self.seen:.3f}")
            self.right = self.seen = 0
