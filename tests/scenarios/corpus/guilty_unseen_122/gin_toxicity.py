# gradwatch-corpus: kind=retain-needless
# first-bad: 1
# notice: 60
"""GIN graph classifier with a small Trainer (accelerator-agnostic, CPU here)."""
import torch

torch.set_num_threads(1)
import torch.nn as nn
from contextlib import nullcontext


class Ops:
    """Thin wrapper so the same code can later run under AMP."""

    def __init__(self, optimizer, clip):
        self.optimizer, self.clip = optimizer, clip

    def autocast(self):
        return nullcontext()

    def backprop(self, objective):
        objective.backward(retain_graph=True)  # <- culprit

    def apply(self):
        params = [p for g in self.optimizer.param_groups for p in g["params"]]
        nn.utils.clip_grad_norm_(params, self.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)


class GINLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.mlp = nn.Sequential(nn.Linear(i, o), nn.ReLU(), nn.Linear(o, o))

    def forward(self, x, adj):
        return torch.relu(self.mlp((1 + self.eps) * x + adj @ x))


class GIN(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([GINLayer(4, 16), GINLayer(16, 16)])
        self.cls = nn.Linear(32, 1)

    def forward(self, x, adj):
        pooled = []
        for conv in self.convs:
            x = conv(x, adj)
            pooled.append(x.mean(1))
        return self.cls(torch.cat(pooled, -1)).squeeze(-1)


def graphs(n, nodes=7):
    x = nn.functional.one_hot(torch.randint(0, 4, (n, nodes)), 4).float()
    a = (torch.rand(n, nodes, nodes) < 0.3).float().triu(1)
    a = a + a.transpose(1, 2)
    tri = torch.einsum("bij,bjk,bki->b", a, a, a) / 6
    return x, a, (tri > 1).float()


class Trainer:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.ops = Ops(torch.optim.Adam(model.parameters(), lr=lr), clip=2.0)
        self.logs = []

    def run(self, steps):
        for i in range(steps):
            x, a, y = graphs(16)
            with self.ops.autocast():
                objective = nn.functional.binary_cross_entropy_with_logits(self.model(x, a), y)
            self.ops.backprop(objective)
            self.ops.apply()
            self.logs.append(float(objective.detach()))
            if (i + 1) % 100 == 0:
                print(i + 1, sum(self.logs[-100:]) / 100)


torch.manual_seed(88)
Trainer(GIN()).run(400)
