# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Traffic speed imputation with a graph network whose edge strengths are learned."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class EdgeWeights(nn.Module):
    def __init__(self, pairs, n):
        super().__init__()
        self.register_buffer("pairs", pairs)
        self.n = n
        self.raw = nn.Parameter(torch.zeros(pairs.shape[1]))

    def adjacency(self):
        a = torch.zeros(self.n, self.n)
        a = a.index_put((self.pairs[0], self.pairs[1]), F.softplus(self.raw))
        a = a + torch.eye(self.n)
        return a / a.sum(1, keepdim=True)


class Imputer(nn.Module):
    def __init__(self, hidden=16, rounds=2):
        super().__init__()
        self.enc = nn.Linear(2, hidden)
        self.msg = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(rounds))
        self.dec = nn.Linear(hidden, 1)

    def forward(self, x, a):
        h = torch.relu(self.enc(x))
        for lin in self.msg:
            h = h + torch.relu(lin(a @ h))
        return self.dec(h).squeeze(-1)


def road_network(n, gen):
    xy = torch.rand(n, 2, generator=gen)
    d = torch.cdist(xy, xy) + 10 * torch.eye(n)
    nbr = d.topk(3, largest=False).indices
    src = torch.arange(n).repeat_interleave(3)
    pairs = torch.stack([src, nbr.reshape(-1)])
    return xy, pairs


def speeds(xy, n_days, gen):
    phase = torch.rand(n_days, 1, generator=gen) * 6.28
    base = torch.sin(3 * xy[:, 0] + phase) + torch.cos(2 * xy[:, 1] - phase)
    return base + 0.05 * torch.randn(base.shape, generator=gen)


def main():
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(40)
    n = 36
    xy, pairs = road_network(n, gen)
    data = speeds(xy, 300, gen)

    edges = EdgeWeights(pairs, n)
    net = Imputer()
    opt = torch.optim.Adam([*edges.parameters(), *net.parameters()], lr=3e-3)
    adj = edges.adjacency()  # <- culprit

    for it in range(600):
        y = data[torch.randint(0, len(data), (8,), generator=gen)]
        seen = (torch.rand(y.shape, generator=gen) > 0.3).float()
        x = torch.stack([y * seen, seen], -1)
        out = net(x, adj)
        err = (out - y).pow(2) * (1 - seen)
        loss = err.sum() / (1 - seen).sum().clamp(min=1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 100 == 0:
            print(f"iter {it} masked mse {loss.item():.4f}")


if __name__ == "__main__":
    main()
