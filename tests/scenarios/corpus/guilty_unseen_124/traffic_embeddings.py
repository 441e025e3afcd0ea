# gradwatch-corpus: kind=second-backward
# holder: terms["smooth"].cached | term.cached | self.cached | objective.terms[1].cached
# first-bad: 1
# notice: 0
"""Road segment embeddings: speed regression with a Laplacian smoothness term."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)


class SpeedLoss:
    def __call__(self, model, ids, hour, speed):
        return (model(ids, hour) - speed).abs().mean()

    def new_epoch(self):
        pass


class Smoothness:
    """Costs a pass over all roads, so it is worked out when the epoch opens."""

    def __init__(self, edges, weight):
        self.edges, self.weight = edges, weight
        self.cached = None

    def new_epoch(self):
        self.cached = None

    def __call__(self, model, *batch):
        if self.cached is None:
            e = model.road.weight
            diff = e[self.edges[0]] - e[self.edges[1]]
            self.cached = self.weight * diff.pow(2).sum(1).mean()  # <- culprit
        return self.cached


class Objective:
    def __init__(self, *terms):
        self.terms = terms

    def __call__(self, model, *batch):
        return sum(t(model, *batch) for t in self.terms)

    def new_epoch(self):
        for t in self.terms:
            t.new_epoch()


class SpeedModel(nn.Module):
    def __init__(self, roads, dim=6):
        super().__init__()
        self.road = nn.Embedding(roads, dim)
        self.hour = nn.Embedding(24, dim)
        self.mix = nn.Linear(dim, 1)

    def forward(self, ids, hour):
        return self.mix(torch.tanh(self.road(ids) * self.hour(hour))).squeeze(1)


ROADS = 50
edges = torch.stack([torch.arange(ROADS - 1), torch.arange(1, ROADS)])
model = SpeedModel(ROADS)
objective = Objective(SpeedLoss(), Smoothness(edges, 0.05))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(12):
    objective.new_epoch()
    for _ in range(20):
        ids, hour = torch.randint(0, ROADS, (32,)), torch.randint(0, 24, (32,))
        speed = torch.sin(ids / 9.0) + torch.cos(hour / 4.0)
        loss = objective(model, ids, hour, speed)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())
