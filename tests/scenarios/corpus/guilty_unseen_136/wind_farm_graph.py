# gradwatch-corpus: kind=second-backward
# holder: self.adj | layer.adj | self.mix1.adj | self.mix2.adj | net.mix1.adj | net.mix2.adj
# first-bad: 1
# notice: 0
"""Wind-farm power forecast with a learned turbine adjacency (Graph-WaveNet flavour)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(50)

N_TURBINES, WINDOW = 9, 8


class TurbineEmbedding(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.source = nn.Parameter(0.3 * torch.randn(n, dim))
        self.target = nn.Parameter(0.3 * torch.randn(dim, n))

    def forward(self):
        return F.softmax(F.relu(self.source @ self.target), dim=1)


class GraphMix(nn.Module):
    def __init__(self, adj, c_in, c_out, order=2):
        super().__init__()
        self.adj = adj
        self.order = order
        self.proj = nn.Linear(c_in * (order + 1), c_out)

    def forward(self, x):
        hops = [x]
        for _ in range(self.order):
            hops.append(torch.einsum("ij,bjc->bic", self.adj, hops[-1]))
        return self.proj(torch.cat(hops, -1))


class FarmNet(nn.Module):
    def __init__(self, hidden=10):
        super().__init__()
        self.embed = TurbineEmbedding(N_TURBINES, 4)
        adj = self.embed()  # <- culprit
        self.mix1 = GraphMix(adj, WINDOW, hidden)
        self.mix2 = GraphMix(adj, hidden, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        h = F.relu(self.mix1(x))
        h = h + F.relu(self.mix2(h))
        return self.head(h).squeeze(-1)


def simulate(n_steps):
    layout = torch.rand(N_TURBINES, 2)
    wake = torch.exp(-8 * torch.cdist(layout, layout))
    wake = wake / wake.sum(1, keepdim=True)
    wind = torch.zeros(N_TURBINES)
    rows = []
    for t in range(n_steps):
        gust = 0.3 * torch.randn(()) + 0.2 * torch.randn(N_TURBINES)
        wind = 0.6 * wind + 0.3 * wake @ wind + gust
        rows.append(torch.sigmoid(2 * wind))
    return torch.stack(rows)


def dataset(series):
    xs = series.unfold(0, WINDOW + 1, 1)
    return xs[..., :WINDOW].contiguous(), xs[..., WINDOW].contiguous()


def main():
    x, y = dataset(simulate(500))
    net = FarmNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(10):
        order = torch.randperm(len(x))
        running = 0.0
        for ix in order.split(16):
            pred = net(x[ix])
            loss = F.l1_loss(pred, y[ix])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            running += loss.item() * len(ix)
        print(f"epoch {epoch} mae {running / len(x):.4f}")


main()
