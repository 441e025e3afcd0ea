# gradwatch-corpus: kind=second-backward
# holder: self.adj | layer.adj | model.diff.adj | net.diff.adj | self.diff.adj
# first-bad: 1
# notice: 0
"""Traffic speeds on a road graph whose adjacency is learned from node embeddings."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class AdaptiveDiffusion(nn.Module):
    def __init__(self, nodes, rank, c_in, c_out, hops=2):
        super().__init__()
        self.src = nn.Parameter(torch.randn(nodes, rank))
        self.dst = nn.Parameter(torch.randn(rank, nodes))
        self.lin = nn.Linear((hops + 1) * c_in, c_out)
        self.hops = hops
        self.adj = torch.softmax(torch.relu(self.src @ self.dst), dim=1)  # <- culprit

    def forward(self, x):
        feats = [x]
        for _ in range(self.hops):
            feats.append(torch.einsum("ij,bjc->bic", self.adj, feats[-1]))
        return self.lin(torch.cat(feats, -1))


class Traffic(nn.Module):
    def __init__(self, nodes=9, lags=4):
        super().__init__()
        self.diff = AdaptiveDiffusion(nodes, 3, lags, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.relu(self.diff(x))).squeeze(-1)


def simulate(T, nodes, g):
    A = torch.rand(nodes, nodes, generator=g).softmax(1)
    v = [torch.rand(nodes, generator=g)]
    for _ in range(T - 1):
        v.append(0.8 * A @ v[-1] + 0.2 * torch.rand(nodes, generator=g))
    return torch.stack(v)


if __name__ == "__main__":
    torch.manual_seed(7)
    speeds = simulate(200, 9, torch.Generator().manual_seed(70))
    windows = speeds.unfold(0, 5, 1)
    net = Traffic()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(5):
        for b in torch.randperm(len(windows)).split(14):
            w = windows[b]
            loss = (net(w[..., :4]) - w[..., 4]).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())
