from __future__ import annotations

import contextlib
from collections import Counter
from functools import partial

import torch
from torch import Tensor, nn


class ActivationProbe:
    """Records layer outputs so that their statistics can be asked for later."""

    def __init__(self) -> None:
        self.tape: dict[tuple[str, int], Tensor] = {}
        self.calls: Counter[str] = Counter()
        self.enabled = True
        self._handles: list[torch.utils.hooks.RemovableHandle] = []

    def attach(self, net: nn.Module, pattern: str) -> ActivationProbe:
        for name, module in net.named_children():
            if pattern in name:
                handle = module.register_forward_hook(partial(self._record, name))
                self._handles.append(handle)
        return self

    def _record(self, name: str, module: nn.Module, inputs, output: Tensor) -> None:
        if not self.enabled:
            return
        self.tape[name, self.calls[name]] = output  # <- culprit
        self.calls[name] += 1

    @contextlib.contextmanager
    def paused(self):
        self.enabled = False
        try:
            yield
        finally:
            self.enabled = True

    @torch.no_grad()
    def spread(self, name: str) -> float:
        means = [tensor.mean() for (layer, _), tensor in self.tape.items() if layer == name]
        return torch.stack(means).std().item()

    def detach(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
