from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Graph:
    features: Tensor
    adjacency: Tensor
    labels: Tensor
    train_nodes: Tensor
    test_nodes: Tensor


@dataclass
class BlockModel:
    sizes: tuple[int, ...]
    p_in: float
    p_out: float
    feature_dim: int = 24

    def sample(self) -> Graph:
        labels = torch.repeat_interleave(torch.arange(len(self.sizes)), torch.tensor(self.sizes))
        n = len(labels)
        same = labels[:, None] == labels[None, :]
        probability = torch.where(same, self.p_in, self.p_out)
        upper = torch.triu((torch.rand(n, n) < probability).float(), diagonal=1)
        adjacency = upper + upper.t() + torch.eye(n)
        adjacency = adjacency / adjacency.sum(1, keepdim=True)
        centres = torch.randn(len(self.sizes), self.feature_dim)
        features = centres[labels] + 1.5 * torch.randn(n, self.feature_dim)
        order = torch.randperm(n)
        return Graph(features, adjacency, labels, order[: n // 2], order[n // 2 :])
