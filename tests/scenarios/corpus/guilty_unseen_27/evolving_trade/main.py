# gradwatch-corpus: kind=second-backward
# holder: model.cells[1].weight | self.weight | cell.weight | self.cells[0].weight | model.cells[0].weight | layer.weight | cells[0].weight | net.cells[0].weight
# first-bad: 1
# also: graph-held
# after: benedekrozemberczki/pytorch_geometric_temporal #297/#305 "second time ... evolvegcnh & evolvegcno examples"
"""Trade flows between countries: the GCN weights are evolved along the yearly snapshots (EvolveGCN-O)."""
import argparse
from functools import reduce

import torch
from torch import nn

from layers import EvolvingConv


class TradeNet(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.cells = nn.ModuleList(EvolvingConv(w) for w in widths)
        self.lin = nn.Linear(widths[-1], 1)

    def forward(self, x, adj):
        h = reduce(lambda h, cell: torch.relu(cell(h, adj)), self.cells, x)
        return self.lin(h).squeeze(-1)


def snapshots(years, nodes, width, seed=0):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(nodes, width, generator=gen)
    for _ in range(years):
        links = (torch.rand(nodes, nodes, generator=gen) < 0.15).float()
        links = ((links + links.T + torch.eye(nodes)) > 0).float()
        scale = links.sum(1).rsqrt()
        adj = (scale[:, None] * links * scale[None]).to_sparse()
        x = 0.9 * x + 0.1 * torch.randn(nodes, width, generator=gen)
        yield x, adj, x[:, :3].sum(1)


def epoch(model, optimizer, years):
    model.train()
    cost, count = 0.0, 0
    for x, adj, y in snapshots(years, nodes=40, width=16):
        cost = cost + torch.mean((model(x, adj) - y) ** 2)
        count += 1
    cost = cost / count
    optimizer.zero_grad()
    cost.backward()
    optimizer.step()
    return cost.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--years", type=int, default=8)
    args, _ = parser.parse_known_args()
    torch.manual_seed(0)
    model = TradeNet([16, 16])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for e in range(args.epochs):
        print(e, epoch(model, optimizer, args.years))


if __name__ == "__main__":
    main()
