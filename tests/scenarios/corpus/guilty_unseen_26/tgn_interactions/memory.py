from typing import Dict, Iterable

import torch


class Memory:
    """Memory vector and time of last update of each node; nodes appear as they come."""

    def __init__(self, memory_dimension: int):
        self.memory_dimension = memory_dimension
        self.init_memory()

    def init_memory(self) -> None:
        self.memory_container: Dict[int, torch.Tensor] = {}
        self.last_node_update: Dict[int, float] = {}

    def get_node_memory(self, node: int) -> torch.Tensor:
        if node not in self.memory_container:
            self.memory_container[node] = torch.zeros(self.memory_dimension)
        return self.memory_container[node]

    def gather(self, nodes: Iterable[int]) -> torch.Tensor:
        return torch.stack([self.get_node_memory(n) for n in nodes])

    def set_node_memory(self, node: int, value: torch.Tensor) -> None:
        self.memory_container[node] = value  # <- culprit

    def elapsed(self, nodes, now: float) -> torch.Tensor:
        return torch.tensor([[now - self.last_node_update.get(n, 0.0)] for n in nodes])

    def touch(self, nodes, now: float) -> None:
        for n in nodes:
            self.last_node_update[n] = now
