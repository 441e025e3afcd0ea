# gradwatch-corpus: kind=second-backward
# holder: domain_vector
# first-bad: 4
import enum
import itertools
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import nn


class Domain(enum.Enum):
    NEWS = 0
    FORUM = 1
    LEGAL = 2
    CHAT = 3

    @property
    def one_hot(self):
        return F.one_hot(torch.tensor(self.value), len(Domain)).float()


class DomainEncoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(len(Domain), 64), nn.SiLU(), nn.Linear(64, width))

    def forward(self, domain):
        return self.net(domain.one_hot)


@lru_cache(maxsize=None)  # <- culprit
def domain_vector(encoder, domain):  # <- culprit
    return encoder(domain)


class Classifier(nn.Module):
    def __init__(self, width=24, classes=3):
        super().__init__()
        self.inp = nn.Linear(30, width)
        self.encoder = DomainEncoder(width)
        self.out = nn.Linear(width, classes)

    def forward(self, x, domain):
        gate = torch.sigmoid(domain_vector(self.encoder, domain))  # <- culprit
        return self.out(torch.relu(self.inp(x)) * gate)


def batches(seed=1):
    g = torch.Generator().manual_seed(seed)
    rules = {d: torch.randn(30, 3, generator=g) for d in Domain}
    for domain in itertools.cycle(Domain):
        x = torch.randn(32, 30, generator=g)
        yield domain, x, (x @ rules[domain]).argmax(1)


def evaluate(model, stream, n=8):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for domain, x, y in itertools.islice(stream, n):
            right += (model(x, domain).argmax(1) == y).sum().item()
            total += len(y)
    model.train()
    return right / total


def main(steps=200):
    torch.manual_seed(0)
    model = Classifier()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    stream = batches()
    for step, (domain, x, y) in enumerate(itertools.islice(stream, steps)):
        loss = F.cross_entropy(model(x, domain), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{step:3d} {domain.name.lower():6s} {loss.item():.4f}")
    print("accuracy", evaluate(model, stream))


if __name__ == "__main__":
    main()
