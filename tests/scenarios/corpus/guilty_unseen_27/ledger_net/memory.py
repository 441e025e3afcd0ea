"""Memory of the nodes: raw messages of a window are written when the next window begins."""
from contextlib import contextmanager
from typing import Dict

import torch


class NodeMemory:
    def __init__(self, width: int):
        self.width = width
        self.container: Dict[int, torch.Tensor] = {}
        self.last_update: Dict[int, int] = {}
        self.now = 0
        self._pending = []

    def __len__(self):
        return len(self.container)

    def __getitem__(self, node):
        if node not in self.container:
            self.container[node] = torch.zeros(self.width)
        return self.container[node]

    def gather(self, nodes):
        return torch.stack([self[n] for n in nodes])

    def post(self, node, value):
        self._pending.append((node, value))

    def detach_tensor_grads(self):
        for node, value in self.container.items():
            self.container[node] = value.detach()

    @contextmanager
    def window(self, index):
        self.now = index
        try:
            yield self
        finally:
            for node, value in self._pending:
                self.container[node] = value  # <- culprit
                self.last_update[node] = self.now
            self._pending.clear()
