# gradwatch-corpus: kind=second-backward
# holder: supports
# first-bad: 1
"""Traffic forecasting with a learned adjacency (after AGCRN / Graph WaveNet)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class NodeEmbeddings(nn.Module):
    def __init__(self, n_nodes, dim):
        super().__init__()
        self.e1 = nn.Parameter(torch.randn(n_nodes, dim) * 0.3)
        self.e2 = nn.Parameter(torch.randn(n_nodes, dim) * 0.3)

    def adjacency(self):
        return F.softmax(F.relu(self.e1 @ self.e2.t()), dim=1)

    def supports(self, order):
        a = self.adjacency()
        mats = [torch.eye(a.size(0)), a]
        for _ in range(2, order):
            mats.append(2 * a @ mats[-1] - mats[-2])
        return mats


class GraphConv(nn.Module):
    def __init__(self, c_in, c_out, order):
        super().__init__()
        self.mix = nn.Linear(c_in * order, c_out)

    def forward(self, x, supports):
        hops = [torch.einsum("nm,bmc->bnc", s, x) for s in supports]
        return self.mix(torch.cat(hops, dim=-1))


class GCGRUCell(nn.Module):
    def __init__(self, c_in, hidden, order):
        super().__init__()
        self.hidden = hidden
        self.gates = GraphConv(c_in + hidden, 2 * hidden, order)
        self.cand = GraphConv(c_in + hidden, hidden, order)

    def forward(self, x, h, supports):
        zr = torch.sigmoid(self.gates(torch.cat([x, h], -1), supports))
        z, r = zr.chunk(2, -1)
        c = torch.tanh(self.cand(torch.cat([x, r * h], -1), supports))
        return z * h + (1 - z) * c


class Forecaster(nn.Module):
    def __init__(self, hidden=16, order=3):
        super().__init__()
        self.cell = GCGRUCell(1, hidden, order)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, seq, supports):
        b, t, n, _ = seq.shape
        h = seq.new_zeros(b, n, self.cell.hidden)
        for k in range(t):
            h = self.cell(seq[:, k], h, supports)
        return self.readout(h)


def simulate(n_nodes, length):
    phase = torch.rand(n_nodes) * 3.0
    t = torch.arange(length).float()[:, None]
    flow = torch.sin(0.2 * t + phase) + 0.1 * torch.randn(length, n_nodes)
    return flow.unsqueeze(-1)


def windows(series, batch, width):
    starts = torch.randint(0, len(series) - width - 1, (batch,))
    x = torch.stack([series[s:s + width] for s in starts.tolist()])
    y = torch.stack([series[s + width] for s in starts.tolist()])
    return x, y


def main():
    torch.manual_seed(17)
    n_nodes = 14
    series = simulate(n_nodes, 400)
    embed = NodeEmbeddings(n_nodes, 5)
    net = Forecaster()
    params = list(embed.parameters()) + list(net.parameters())
    opt = torch.optim.Adam(params, lr=3e-3)
    supports = embed.supports(order=3)  # <- culprit

    for it in range(100):
        x, y = windows(series, 12, 8)
        pred = net(x, supports)  # <- culprit
        loss = F.l1_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print("iter", it, "mae", round(loss.item(), 4))


main()
