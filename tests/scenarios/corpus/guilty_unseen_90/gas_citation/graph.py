from dataclasses import dataclass

import torch


@dataclass
class Batch:
    n_id: torch.Tensor        # nodes of the part
    halo: torch.Tensor        # their neighbours outside the part
    x: torch.Tensor
    y: torch.Tensor
    adj: torch.Tensor         # [part, part + halo], row normalised
    local_adj: torch.Tensor


class PartitionGraph:
    def __init__(self, x, y, adj, parts):
        self.x, self.y, self.adj, self.parts = x, y, adj, parts
        self.num_nodes, self.num_parts = len(y), len(parts)

    def loader(self, shuffle=True):
        order = torch.randperm(self.num_parts) if shuffle else torch.arange(self.num_parts)
        for i in order.tolist():
            yield self.make_batch(self.parts[i])

    def make_batch(self, n_id):
        rows = self.adj[n_id]
        inside = torch.zeros(self.num_nodes, dtype=torch.bool)
        inside[n_id] = True
        halo = ((rows.sum(0) > 0) & ~inside).nonzero().flatten()
        cols = torch.cat([n_id, halo])
        sub = rows[:, cols]
        sub = sub / sub.sum(1, keepdim=True).clamp(min=1)
        return Batch(n_id, halo, self.x[n_id], self.y[n_id], sub, self.adj[n_id][:, n_id])


def random_partition_graph(num_nodes, num_parts, num_feats, num_classes):
    y = torch.randint(num_classes, (num_nodes,))
    same = y[:, None] == y[None]
    prob = torch.where(same, 0.06, 0.01)
    adj = (torch.rand(num_nodes, num_nodes) < prob).float()
    adj = ((adj + adj.t()) > 0).float()
    adj.fill_diagonal_(1.0)
    x = torch.randn(num_classes, num_feats)[y] + 1.5 * torch.randn(num_nodes, num_feats)
    parts = list(torch.randperm(num_nodes).chunk(num_parts))
    return PartitionGraph(x, y, adj, parts)
