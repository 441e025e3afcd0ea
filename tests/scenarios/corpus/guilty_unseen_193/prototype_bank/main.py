# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
import torch
from torch import nn
import torch.nn.functional as F

from bank import PrototypeBank
from hooks import LogHook, PrototypeHook


class Runner:
    def __init__(self, encoder, bank, optimizer, hooks):
        self.encoder, self.bank, self.optimizer = encoder, bank, optimizer
        self.hooks = sorted(hooks, key=lambda h: h.priority)
        self.iter, self.outputs, self.batch = 0, {}, None

    def call(self, name):
        for h in self.hooks:
            getattr(h, name)(self)

    def run_iter(self, batch):
        self.batch = batch
        x, y = batch
        feats = F.normalize(self.encoder(x), dim=1)
        loss = F.cross_entropy(self.bank(feats), y)
        self.outputs = {"feats": feats, "loss": loss}
        self.call("after_forward")
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.call("after_iter")
        self.outputs = {}
        self.iter += 1


def open_set(classes, din, batch, seed):
    g = torch.Generator().manual_seed(seed)
    centers = torch.randn(classes, din, generator=g)
    while True:
        y = torch.randint(classes, (batch,), generator=g)
        yield centers[y] + 0.7 * torch.randn(batch, din, generator=g), y


def main():
    torch.manual_seed(2)
    encoder = nn.Sequential(nn.Linear(18, 32), nn.LeakyReLU(0.1), nn.Linear(32, 12))
    bank = PrototypeBank(7, 12)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
    runner = Runner(encoder, bank, optimizer, [LogHook(10), PrototypeHook(start=30)])
    for _, batch in zip(range(400), open_set(7, 18, 32, seed=3)):
        runner.run_iter(batch)


if __name__ == "__main__":
    main()
