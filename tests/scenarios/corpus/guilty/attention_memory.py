# gradwatch-corpus: kind=graph-chain
# holder: self.memory | model.memory | model.reader.memory | self.reader.memory
# about: a reader attends over all earlier hidden states, kept on the module with their graphs
import math

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.encode = nn.Linear(dim, dim)
        self.memory = []

    def forward(self, x):
        h = torch.tanh(self.encode(x))
        self.memory.append(h)  # <- culprit
        keys = torch.stack(self.memory, dim=1)
        scores = (keys * h.unsqueeze(1)).sum(-1) / math.sqrt(h.shape[-1])
        weights = scores.softmax(dim=1)
        return (weights.unsqueeze(-1) * keys).sum(1)


class Model(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.reader = Reader(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, x):
        return self.head(self.reader(x))


def sgd(model, lr=0.05):
    for p in model.parameters():
        p.data.add_(p.grad, alpha=-lr)
        p.grad.zero_()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Model()
    criterion = nn.CrossEntropyLoss()
    for step in range(45):
        x = torch.randn(8, 24)
        y = (x.sum(1) > 0).long()
        loss = criterion(model(x), y)
        loss.backward(retain_graph=True)
        sgd(model)
        if step % 15 == 0:
            print(step, loss.item())
