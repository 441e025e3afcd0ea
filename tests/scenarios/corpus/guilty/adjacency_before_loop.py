# gradwatch-corpus: kind=second-backward
# holder: self.adj | self.conv1.adj | model.conv1.adj
# first-bad: 1
# about: a learned adjacency is normalised once, in the constructor, and used for ever
import torch
from torch import nn


class LearnedGraphConv(nn.Module):
    def __init__(self, n_nodes, n_in, n_out):
        super().__init__()
        self.node_embedding = nn.Parameter(torch.randn(n_nodes, 4))
        self.linear = nn.Linear(n_in, n_out)
        scores = torch.relu(self.node_embedding @ self.node_embedding.t())
        self.adj = torch.softmax(scores, dim=1)  # <- culprit

    def forward(self, x):
        return self.linear(self.adj @ x)  # <- culprit


class Forecaster(nn.Module):
    def __init__(self, n_nodes=6):
        super().__init__()
        self.conv1 = LearnedGraphConv(n_nodes, 12, 16)
        self.readout = nn.Linear(16, 1)

    def forward(self, x):
        return self.readout(torch.relu(self.conv1(x))).squeeze(-1)


def snapshots(n):
    for _ in range(n):
        x = torch.randn(6, 12)
        yield x, x.mean(1)


def main():
    torch.manual_seed(0)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for x, y in snapshots(60):
        loss = torch.mean((model(x) - y) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
