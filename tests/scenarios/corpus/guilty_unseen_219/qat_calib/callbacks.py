import torch

from quant import QConv


class Callback:
    def on_train_start(self, model): ...
    def on_step_end(self, step, logs): ...
    def on_train_end(self, model): ...


class RangeObserver(Callback):
    """Collects output ranges of quantised convs and re-fits the activation scales every few steps."""

    def __init__(self, every=10, pct=0.95):
        self.every = every
        self.pct = pct
        self.peaks = {}
        self.handles = []

    def on_train_start(self, model):
        self.layers = {n: m for n, m in model.named_modules() if isinstance(m, QConv)}
        for name, layer in self.layers.items():
            self.peaks[name] = []
            self.handles.append(layer.register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            self.peaks[name].append(output.abs().amax())  # <- culprit
        return hook

    def on_step_end(self, step, logs):
        if (step + 1) % self.every:
            return
        with torch.no_grad():
            for name, layer in self.layers.items():
                peak = torch.stack(self.peaks[name]).quantile(self.pct)
                layer.act_scale.copy_((peak * 1.05 / 127).clamp(min=0.01))

    def on_train_end(self, model):
        for h in self.handles:
            h.remove()


class Rows(Callback):
    def __init__(self):
        self.rows = []

    def on_step_end(self, step, logs):
        self.rows.append({"step": step, **logs})
        if step % 40 == 0:
            print(self.rows[-1])
