from contextlib import contextmanager

import torch


class LayerStats:
    def __init__(self):
        self.rows = {}

    def hook(self, name):
        def fn(module, args, out):
            flat = out.detach().flatten(1)
            self.rows[name] = (flat.mean().item(), flat.std().item(), (flat <= 0).float().mean().item())
        return fn

    def table(self):
        return " ".join(f"{n}:{m:+.2f}/{s:.2f}/{z:.2f}" for n, (m, s, z) in self.rows.items())


@contextmanager
def watching(model, kinds):
    stats = LayerStats()
    handles = []
    for name, module in model.named_modules():
        if isinstance(module, kinds):
            handles.append(module.register_forward_hook(stats.hook(name)))
    try:
        yield stats
    finally:
        for h in handles:
            h.remove()
        handles.clear()


class SaliencyTap:
    """One-off look at which input rows drive a class score."""

    def __init__(self, model):
        self.model = model

    def __call__(self, x, klass):
        probe = x.clone().requires_grad_()
        score = self.model(probe)[:, klass].sum()
        grad, = torch.autograd.grad(score, probe)
        return grad.abs().mean(dim=(0, 1, 3))
