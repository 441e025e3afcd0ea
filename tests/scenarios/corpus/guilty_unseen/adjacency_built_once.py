# gradwatch-corpus: kind=second-backward
# first-bad: 1
# holder: adj
"""Graph learning: a learned adjacency over sensors, then a two layer GCN for forecasting."""
import torch
import torch.nn.functional as F
from torch import nn


class GraphLearner(nn.Module):
    def __init__(self, n, d=16):
        super().__init__()
        self.e1 = nn.Parameter(torch.randn(n, d) * 0.1)
        self.e2 = nn.Parameter(torch.randn(n, d) * 0.1)

    def forward(self):
        return F.softmax(F.relu(self.e1 @ self.e2.t()), dim=1)


class GCN(nn.Module):
    def __init__(self, w_in, hid, w_out):
        super().__init__()
        self.l1, self.l2 = nn.Linear(w_in, hid), nn.Linear(hid, w_out)

    def forward(self, x, adj):
        return self.l2(adj @ F.relu(self.l1(adj @ x)))


def windows(n_nodes, steps):
    t = torch.arange(15.0)
    for s in range(steps):
        phase = torch.rand(24, n_nodes, 1) * 6
        sig = torch.sin(0.4 * (t + s) + phase)
        yield sig[..., :12], sig[..., 12:]


def main():
    torch.manual_seed(1)
    nodes = 40
    learner, gcn = GraphLearner(nodes), GCN(12, 64, 3)
    opt = torch.optim.Adam([*learner.parameters(), *gcn.parameters()], lr=1e-3)
    adj = learner()  # <- culprit
    for step, (x, y) in enumerate(windows(nodes, 150)):
        opt.zero_grad()
        loss = F.l1_loss(gcn(x, adj), y)  # <- culprit
        loss.backward()  # <- culprit
        opt.step()
        if step % 30 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    main()
