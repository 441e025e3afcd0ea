# gradwatch-corpus: kind=graph-chain
# holder: self.level | smoother.level | filt.smoother.level
# first-bad: 1
# notice: 5
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)
VOCAB = 60


class Smoother:
    def __init__(self, keep):
        self.keep = keep
        self.level = None

    def __call__(self, value):
        if self.level is None:
            self.level = value
        else:
            self.level = self.keep * self.level + (1 - self.keep) * value  # <- culprit
        return self.level


class Filter:
    def __init__(self, rate):
        self.scores = nn.EmbeddingBag(VOCAB, 1, mode="sum")
        nn.init.zeros_(self.scores.weight)
        self.opt = torch.optim.SGD(self.scores.parameters(), lr=rate)
        self.smoother = Smoother(0.6)
        self.criterion = nn.SoftMarginLoss()

    def update(self, mails, verdict):
        self.opt.zero_grad()
        objective = self.smoother(self.criterion(self.scores(mails).flatten(), verdict))
        objective.backward(retain_graph=True)
        self.opt.step()
        return objective.item()

    @torch.no_grad()
    def accuracy(self, mails, verdict):
        return (self.scores(mails).flatten().sign() == verdict).float().mean().item()


def inbox(n, words=9):
    mails = torch.randint(0, VOCAB, (n, words))
    verdict = torch.where((mails < 12).sum(1) >= 2, 1.0, -1.0)
    return mails, verdict


def run():
    filt = Filter(0.3)
    for day in range(240):
        value = filt.update(*inbox(16))
        if day % 60 == 59:
            print(f"day {day + 1}: {value:.4f}, accuracy {filt.accuracy(*inbox(200)):.3f}")


run()
