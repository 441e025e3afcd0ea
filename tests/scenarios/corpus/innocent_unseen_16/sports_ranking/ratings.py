import torch
from torch import nn


class RatingNet(nn.Module):
    def __init__(self, players, dim=16):
        super().__init__()
        self.offence = nn.Embedding(players, dim)
        self.defence = nn.Embedding(players, dim)
        self.mix = nn.Sequential(nn.Linear(2 * dim, 32), nn.ReLU())
        self.points = nn.Linear(32, 1)
        self.turnover = nn.Linear(32, 1)

    def trunk_parameters(self):
        for part in (self.offence, self.defence, self.mix):
            yield from part.parameters()

    def forward(self, home, away):
        z = torch.cat([self.offence(home).mean(1), self.defence(away).mean(1)], dim=1)
        h = self.mix(z)
        return self.points(h).squeeze(1), self.turnover(h).squeeze(1)

    @torch.no_grad()
    def ranking(self):
        n = self.offence.num_embeddings
        alone = torch.arange(n).unsqueeze(1)
        average = torch.cat([self.offence(alone).squeeze(1), self.defence.weight.mean(0).expand(n, -1)], dim=1)
        return self.points(self.mix(average)).squeeze(1).argsort(descending=True).tolist()
