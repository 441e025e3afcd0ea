"""Keeps an eye on the activations of a model while it trains."""
import torch


class ActivationProbe:
    """Exponential moving average of the RMS of each watched layer's output."""

    def __init__(self, decay=0.98):
        self.decay = decay
        self.rms = {}
        self._handles = []

    def attach(self, model, types):
        for name, mod in model.named_modules():
            if isinstance(mod, types):
                self._handles.append(mod.register_forward_hook(self._make_hook(name)))
        return self

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if not module.training:
                return
            level = output.pow(2).mean().sqrt()
            if name not in self.rms:
                self.rms[name] = level  # <- culprit
            else:
                self.rms[name] = self.decay * self.rms[name] + (1 - self.decay) * level  # <- culprit

        return hook

    def dead(self, threshold=1e-3):
        return [n for n, v in self.rms.items() if v.item() < threshold]

    def summary(self):
        return ", ".join(f"{n}:{v.item():.3f}" for n, v in self.rms.items())

    def detach_all(self):
        for h in self._handles:
            h.remove()
        self._handles.clear()
