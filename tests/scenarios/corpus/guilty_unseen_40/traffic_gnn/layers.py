import torch
from torch import nn


class GraphLayer(nn.Module):
    """Base of the road layers: a weighted, row-normalised propagation matrix."""

    def __init__(self, edges, n_nodes):
        super().__init__()
        self.register_buffer("edges", edges)
        self.n_nodes = n_nodes
        self.edge_logit = nn.Parameter(torch.zeros(edges.size(1)))
        self._propagator = None

    def _build(self):
        src, dst = self.edges
        raw = torch.zeros(self.n_nodes, self.n_nodes)
        raw = raw.index_put((dst, src), self.edge_logit.exp(), accumulate=True)
        raw = raw + torch.eye(self.n_nodes)
        return raw / raw.sum(dim=1, keepdim=True)

    @property
    def propagator(self):
        if self._propagator is None:  # <- culprit
            self._propagator = self._build()  # <- culprit
        return self._propagator  # <- culprit


class RoadConv(GraphLayer):
    def __init__(self, edges, n_nodes, n_in, n_out):
        super().__init__(edges, n_nodes)
        self.mix = nn.Linear(n_in, n_out)

    def forward(self, h):
        return self.propagator @ self.mix(h)  # <- culprit
