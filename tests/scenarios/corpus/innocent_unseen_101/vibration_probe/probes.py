from contextlib import ExitStack
from typing import NamedTuple

import torch


class LayerSummary(NamedTuple):
    dead: float
    std: float
    drift: float


class ProbeSession:
    """While it is open, every output of the matching modules is kept; on exit they become a summary."""

    def __init__(self, model, match):
        self.targets = {n: m for n, m in model.named_modules() if match in n and "." not in n}
        self.outputs = {n: [] for n in self.targets}
        self.summary = {}
        self._stack = ExitStack()

    def _hook(self, name):
        def hook(module, args, output):
            self.outputs[name].append(output)
        return hook

    def __enter__(self):
        for name, module in self.targets.items():
            handle = module.register_forward_hook(self._hook(name))
            self._stack.callback(handle.remove)
        self._stack.callback(self.outputs.clear)
        return self

    def __exit__(self, *exc):
        if exc[0] is None:
            for name, outs in self.outputs.items():
                self.summary[name] = self._describe(outs)
        self._stack.close()
        return False

    @staticmethod
    @torch.no_grad()
    def _describe(outs):
        stacked = torch.stack(outs)
        per_step = stacked.flatten(1).mean(1)
        dead = (stacked.amax(dim=(0, 1, 3)) <= 0).float().mean()
        return LayerSummary(dead.item(), stacked.std().item(), (per_step[-1] - per_step[0]).item())
