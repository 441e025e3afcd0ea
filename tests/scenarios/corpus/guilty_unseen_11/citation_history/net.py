import torch
from torch import nn


class History:
    """One row per node: its last computed hidden embedding."""

    def __init__(self, n_nodes, dim):
        self.table = torch.zeros(n_nodes, dim)

    def push(self, nodes, values):
        self.table[nodes] = values  # <- culprit

    def pull(self):
        return self.table


class HistoryGCN(nn.Module):
    def __init__(self, n_nodes, d_in, d_hidden, n_classes):
        super().__init__()
        self.history = History(n_nodes, d_hidden)
        self.first = nn.Linear(2 * d_in, d_hidden)
        self.second = nn.Linear(2 * d_hidden, n_classes)

    def hidden(self, graph, nodes):
        around = graph.mean_rows(nodes) @ graph.x
        return torch.relu(self.first(torch.cat([graph.x[nodes], around], dim=1)))

    def forward(self, graph, nodes):
        h = self.hidden(graph, nodes)
        if self.training:
            self.history.push(nodes, h)
            table = self.history.pull()
        else:
            table = torch.zeros(graph.n, h.size(1)).index_copy(0, nodes, h)
        around = graph.mean_rows(nodes) @ table
        return self.second(torch.cat([h, around], dim=1))
