# gradwatch-corpus: kind=second-backward
# holder: self.propagation | net.propagation | self.links.propagation | net.links.propagation | self.net.links.propagation
# first-bad: 1
"""Guess the rock type of the chambers of a cave from a few surveyed ones."""
import logging
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn as nn
import torch.nn.functional as F

log = logging.getLogger("cave")


@dataclass
class Survey:
    chambers: int = 60
    features: int = 12
    kinds: int = 4

    def __post_init__(self):
        gen = torch.Generator().manual_seed(1)
        place = torch.rand(self.chambers, 3, generator=gen)
        self.distance = torch.cdist(place, place)
        self.kind = (place[:, 0] * self.kinds).long()
        self.x = F.one_hot(self.kind, self.features).float()
        self.x += 0.9 * torch.randn(self.chambers, self.features, generator=gen)

    def split(self, share):
        order = torch.randperm(self.chambers)
        cut = int(share * self.chambers)
        return order[:cut], order[cut:]


class Links(nn.Module):
    """Soft passages between chambers; how far they reach is learned."""

    def __init__(self, distance):
        super().__init__()
        self.register_buffer("distance", distance)
        self.reach = nn.Parameter(torch.tensor(-1.0))

    @cached_property  # <- culprit
    def propagation(self):
        weight = torch.exp(-self.distance / F.softplus(self.reach))
        return weight / weight.sum(1, keepdim=True)  # <- culprit

    def forward(self, x):
        return self.propagation @ x


class Layer(nn.Module):
    def __init__(self, links, n_in, n_out):
        super().__init__()
        self.links = links
        self.lin = nn.Linear(n_in, n_out)

    def forward(self, x):
        return self.lin(self.links(x))


class CaveNet(nn.Module):
    def __init__(self, survey, width=32):
        super().__init__()
        links = Links(survey.distance)
        self.links = links
        self.inner = Layer(links, survey.features, width)
        self.outer = Layer(links, width, survey.kinds)

    def forward(self, x):
        return self.outer(F.relu(self.inner(x)))


class Trainer:
    def __init__(self, net, survey, lr=0.02):
        self.net, self.survey = net, survey
        self.known, self.rest = survey.split(0.4)
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def _loss(self):
        logits = self.net(self.survey.x)
        return F.cross_entropy(logits[self.known], self.survey.kind[self.known])

    def _evaluate(self):
        with torch.no_grad():
            guess = self.net(self.survey.x)[self.rest].argmax(1)
        return (guess == self.survey.kind[self.rest]).float().mean().item()

    def epoch(self):
        self.net.train()
        loss = self._loss()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, epochs):
        for i in range(epochs):
            loss = self.epoch()
            if i % 20 == 0:
                log.info("epoch %d loss %.4f accuracy %.3f", i, loss, self._evaluate())


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(3)
    survey = Survey()
    Trainer(CaveNet(survey), survey).fit(120)


if __name__ == "__main__":
    main()
