"""Small random molecules: rings and chains with a few atom types."""
from typing import NamedTuple

import torch


class Batch(NamedTuple):
    x: torch.Tensor
    adj: torch.Tensor
    graph_of: torch.Tensor
    y: torch.Tensor
    atom: torch.Tensor


def ring_and_chain_batch(n_graphs, n_types):
    sizes = torch.randint(4, 9, (n_graphs,)).tolist()
    total = sum(sizes)
    adj = torch.zeros(total, total)
    graph_of = torch.zeros(total, dtype=torch.long)
    atom = torch.randint(0, n_types, (total,))
    y, at = [], 0
    for g, size in enumerate(sizes):
        ring = torch.rand(()) < 0.5
        for k in range(size - (0 if ring else 1)):
            i, j = at + k, at + (k + 1) % size
            adj[i, j] = adj[j, i] = 1.0
        graph_of[at:at + size] = g
        y.append(float(ring) + 0.3 * (atom[at:at + size] == 0).float().mean().item())
        at += size
    adj = adj / adj.sum(1, keepdim=True).clamp(min=1)
    x = torch.nn.functional.one_hot(atom, n_types).float()
    return Batch(x, adj, graph_of, torch.tensor(y), atom)
