import torch
import torch.nn as nn
import torch.nn.functional as F

PRIMITIVES = {
    "none": lambda c: Zero(),
    "skip": lambda c: nn.Identity(),
    "relu_lin": lambda c: nn.Sequential(nn.Linear(c, c), nn.ReLU()),
    "tanh_lin": lambda c: nn.Sequential(nn.Linear(c, c), nn.Tanh()),
}


class Zero(nn.Module):
    def forward(self, x):
        return x * 0.0


class MixedOp(nn.Module):
    def __init__(self, c):
        super().__init__()
        self._ops = nn.ModuleList(make(c) for make in PRIMITIVES.values())

    def forward(self, x, weights):
        return sum(w * op(x) for w, op in zip(weights, self._ops))


class Network(nn.Module):
    def __init__(self, n_in, c, n_out, cells):
        super().__init__()
        self.stem = nn.Linear(n_in, c)
        self.cells = nn.ModuleList(nn.ModuleList(MixedOp(c) for _ in range(2)) for _ in range(cells))
        self.head = nn.Linear(c, n_out)
        self.alpha = nn.ParameterList(nn.Parameter(1e-3 * torch.randn(2, len(PRIMITIVES))) for _ in range(cells))
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x):
        s = self.stem(x)
        for cell, alpha in zip(self.cells, self.alpha):
            w = F.softmax(alpha, dim=-1)
            s = sum(op(s, wi) for op, wi in zip(cell, w))
        return self.head(s)

    def loss(self, x, y):
        return self.criterion(self(x), y)

    def weights(self):
        return [p for n, p in self.named_parameters() if "alpha" not in n]

    def alphas(self):
        return list(self.alpha.parameters())

    def genotype(self):
        names = list(PRIMITIVES)
        return [[names[i] for i in a.detach().argmax(1).tolist()] for a in self.alpha]
