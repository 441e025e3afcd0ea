# gradwatch-corpus: kind=second-backward
# holder: adj | A_hat
# first-bad: 1
import torch
from torch import nn

torch.manual_seed(31)
N, F_IN, C = 40, 8, 3
labels = torch.randint(0, C, (N,))
X = torch.randn(N, F_IN) + torch.eye(C, F_IN)[labels] * 1.5
train_mask = torch.rand(N) < 0.5


class GraphLearner(nn.Module):
    def __init__(self, n, r=6):
        super().__init__()
        self.left = nn.Parameter(torch.randn(n, r) * 0.3)
        self.right = nn.Parameter(torch.randn(r, n) * 0.3)

    def forward(self):
        return torch.softmax(torch.relu(self.left @ self.right), dim=1)


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(F_IN, 16), nn.Linear(16, C)

    def forward(self, a, x):
        return self.l2(a @ torch.relu(self.l1(a @ x)))


def train(steps=140):
    graph, gcn = GraphLearner(N), GCN()
    optim = torch.optim.Adam(list(graph.parameters()) + list(gcn.parameters()), lr=0.01, weight_decay=5e-4)
    A_hat = graph() + torch.eye(N)  # <- culprit
    for epoch in range(steps):
        gcn.train()
        out = gcn(A_hat, X)
        loss = nn.functional.cross_entropy(out[train_mask], labels[train_mask])
        optim.zero_grad()
        loss.backward()
        optim.step()
        if epoch % 20 == 0:
            acc = (out.argmax(1) == labels)[~train_mask].float().mean().item()
            print(f"epoch {epoch:03d} loss {loss.item():.3f} test {acc:.3f}")


train()
