from collections import deque

import torch

PLUGINS = {}


def plugin(name):
    def deco(cls):
        PLUGINS[name] = cls
        cls.plugin_name = name
        return cls
    return deco


def build_plugins(specs, trainer):
    return [PLUGINS[s.name](trainer, **s.options) for s in specs]


class Plugin:
    def __init__(self, trainer):
        self.trainer = trainer

    def extra_loss(self, model):
        return None

    def on_step_end(self, step, loss, acc):
        pass

    def summary(self):
        return f"{self.plugin_name}: done"


@plugin("proximal")
class Proximal(Plugin):
    """Pulls every weight gently towards its own slow average."""

    def __init__(self, trainer, decay, strength):
        super().__init__(trainer)
        self.decay, self.strength = decay, strength
        self.anchors = {n: p.detach().clone() for n, p in trainer.model.named_parameters()}

    def _moved(self, name, weight):
        return torch.lerp(self.anchors[name], weight, 1.0 - self.decay)

    def extra_loss(self, model):
        total = 0.0
        for name, weight in model.named_parameters():
            total = total + (weight - self.anchors[name]).square().sum()
            self.anchors[name] = self._moved(name, weight)  # <- culprit
        return self.strength * total


@plugin("progress")
class Progress(Plugin):
    def __init__(self, trainer, every):
        super().__init__(trainer)
        self.every = every
        self.window = deque(maxlen=every)

    def on_step_end(self, step, loss, acc):
        self.window.append((loss, acc))
        if (step + 1) % self.every == 0:
            n = len(self.window)
            print(f"[{step + 1:4d}] loss {sum(l for l, _ in self.window) / n:.3f} "
                  f"acc {sum(a for _, a in self.window) / n:.3f}")
