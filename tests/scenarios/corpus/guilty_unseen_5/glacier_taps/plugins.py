from collections import defaultdict
from functools import partial

import torch

PLUGINS = {}


def plugin(key):
    def add(cls):
        PLUGINS[key] = cls
        return cls
    return add


class Plugin:
    def on_fit_begin(self, engine): ...
    def on_step_end(self, engine): ...
    def on_epoch_end(self, engine): ...
    def on_fit_end(self, engine): ...


@plugin("console")
class Console(Plugin):
    def on_step_end(self, engine):
        if engine.step % 50 == 0:
            print(f"step {engine.step:4d}  masked mse {engine.last:.4f}")


@plugin("layer_stats")
class LayerStats(Plugin):
    """Distribution of the activations of every conv layer, written out when the epoch closes."""

    def on_fit_begin(self, engine):
        self.bins = defaultdict(list)
        self.handles = [
            layer.register_forward_hook(partial(self.tap, name))
            for name, layer in engine.net.named_children() if "down" in name or name == "mix"
        ]

    def tap(self, name, layer, args, produced):
        self.bins[name].append(produced)  # <- culprit

    def on_epoch_end(self, engine):
        for name, chunks in self.bins.items():
            flat = torch.cat([c.detach().flatten() for c in chunks])
            print(f"  {name}: mean {flat.mean():+.3f} std {flat.std():.3f} over {len(chunks)} batches")
        self.bins.clear()

    def on_fit_end(self, engine):
        for h in self.handles:
            h.remove()
        self.on_epoch_end(engine)
