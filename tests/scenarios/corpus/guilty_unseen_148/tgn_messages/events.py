from dataclasses import dataclass

import torch


@dataclass
class Events:
    src: torch.Tensor
    dst: torch.Tensor
    fake: torch.Tensor
    feat: torch.Tensor


class EventStream:
    def __init__(self, n_nodes, n_events):
        group = torch.arange(n_nodes) % 4
        self.src = torch.randint(0, n_nodes, (n_events,))
        self.dst = (self.src + 4 * torch.randint(1, 5, (n_events,))) % n_nodes
        self.fake = torch.randint(0, n_nodes, (n_events,))
        self.feat = torch.nn.functional.one_hot(group[self.src], 4).float() + 0.1 * torch.randn(n_events, 4)

    def batches(self, size):
        for i in range(0, len(self.src), size):
            s = slice(i, i + size)
            yield Events(self.src[s], self.dst[s], self.fake[s], self.feat[s])
