"""Optimizer step inside of the backward pass, one optimizer a parameter."""
import torch


class NormMeter:
    def __init__(self):
        self.total, self.calls = 0.0, 0

    def add(self, g):
        self.total += float(g.norm())
        self.calls += 1

    def pop(self):
        mean = self.total / max(1, self.calls)
        self.total, self.calls = 0.0, 0
        return mean


def attach_optimizers(model, lr):
    meter = NormMeter()
    optimizers = {p: torch.optim.Adam([p], lr=lr, foreach=False) for p in model.parameters()}

    def ready(p):
        meter.add(p.grad)
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(ready)
    for name, module in model.named_modules():
        if name.endswith("ff"):
            module.register_full_backward_hook(lambda m, gi, go: tuple(g.clamp(-1, 1) for g in gi))
    return meter
