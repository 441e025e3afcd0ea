from collections import defaultdict

import torch


class LayerProbe:
    """Records trial-wise firing rates of chosen layers."""

    def __init__(self, model, names):
        self.rates = defaultdict(list)
        self.handles = []
        for name in names:
            layer = model.get_submodule(name)
            self.handles.append(layer.register_forward_hook(self._recorder(name)))

    def _recorder(self, name):
        def hook(module, inputs, output):
            rate = output.mean(dim=0)  # <- culprit
            self.rates[name].append(rate)  # <- culprit

        return hook

    def close(self):
        for h in self.handles:
            h.remove()

    @torch.no_grad()
    def summary(self):
        out = {}
        for name, rows in self.rates.items():
            table = torch.stack(rows)
            fano = table.var(dim=0) / table.mean(dim=0)
            out[name] = f"mean {table.mean().item():.3f} fano {fano.mean().item():.4f}"
        return out
