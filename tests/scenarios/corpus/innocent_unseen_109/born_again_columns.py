# gradwatch-corpus: kind=none
"""Progressive columns plus born-again distillation for a stream of sensor-drift stages.

At each stage a new column is added that reads the hidden states of all older columns; the model of the
previous stage is kept as the teacher, which keeps its own teacher, and so on.
"""
import copy

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(66)

STAGES, STEPS, D, H, C = 9, 40, 8, 16, 3


class Column(nn.Module):
    def __init__(self, n_older):
        super().__init__()
        self.inp = nn.Linear(D, H)
        self.lateral = nn.ModuleList(nn.Linear(H, H, bias=False) for _ in range(n_older))
        self.out = nn.Linear(H, C)

    def forward(self, x, older):
        h = self.inp(x)
        for lat, o in zip(self.lateral, older):
            h = h + lat(o)
        h = torch.relu(h)
        return h, self.out(h)


class Growing(nn.Module):
    def __init__(self):
        super().__init__()
        self.columns = nn.ModuleList()
        self.gate = nn.ParameterList()

    def grow(self):
        self.columns.append(Column(len(self.columns)))
        self.gate.append(nn.Parameter(torch.zeros(())))

    def forward(self, x):
        hidden, logits = [], 0.0
        for g, col in zip(self.gate, self.columns):
            h, o = col(x, hidden)
            hidden.append(h)
            logits = logits + torch.sigmoid(g) * o
        return logits


class Generation:
    """A stage's finished model with a link to the one before it."""

    def __init__(self, model, previous, importance):
        self.model = copy.deepcopy(model)
        self.previous = previous
        self.importance = importance
        self.snapshot = [p.detach().clone().requires_grad_() for p in model.parameters()]

    def chain(self):
        g = self
        while g is not None:
            yield g
            g = g.previous

    def ensemble(self, x):
        outs = [g.model(x) for g in self.chain()]
        return sum(o * 0.5 ** i for i, o in enumerate(outs)).detach()


def fisher(model, stage):
    total = [torch.zeros_like(p) for p in model.parameters()]
    for _ in range(5):
        x, y = drift(stage, 16)
        grads = torch.autograd.grad(F.cross_entropy(model(x), y), list(model.parameters()), create_graph=True)
        total = [t + g.detach() ** 2 for t, g in zip(total, grads)]
    return total


W = torch.randn(D, C)


def drift(stage, n=32):
    x = torch.randn(n, D)
    return x + 0.3 * stage * torch.sin(torch.arange(D) + 1.0), (x @ W).argmax(1)


def main():
    model, past, seen = Growing(), None, 0
    for stage in range(STAGES):
        model.grow()
        opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        for _ in range(STEPS):
            x, y = drift(stage)
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            if past is not None:
                loss = loss + 0.2 * F.mse_loss(logits, past.ensemble(x))
                for p, a, f in zip(model.parameters(), past.snapshot, past.importance):
                    if p.shape == a.shape:
                        loss = loss + 5.0 * (f * (p - a) ** 2).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += 1
        past = Generation(model, past, fisher(model, stage))
        x, y = drift(stage, 300)
        acc = (model(x).argmax(1) == y).float().mean().item()
        print(f"stage {stage} steps {seen} loss {loss.item():.3f} acc {acc:.2f} ancestors {len(list(past.chain()))}")


main()
