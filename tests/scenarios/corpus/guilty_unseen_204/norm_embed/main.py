# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch

from events import EventBus
from model import TripleScorer, triples
from plugins import LossMeter, UnitBall


class KnowledgeTrainer:
    def __init__(self, model, bus, lr=0.05):
        self.model = model
        self.bus = bus
        self.opt = torch.optim.Adagrad(model.parameters(), lr=lr)

    def step(self, head, rel, tail, corrupt):
        pos = self.model(head, rel, tail)
        neg = self.model(head, rel, corrupt)
        loss = torch.relu(0.5 + pos - neg).mean()
        self.bus.emit("scored", trainer=self, loss=loss)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bus.emit("updated", trainer=self)


def main():
    torch.manual_seed(0)
    bus = EventBus()
    meter = LossMeter()
    meter.install(bus)
    UnitBall(radius=1.0).install(bus)
    trainer = KnowledgeTrainer(TripleScorer(60, 5), bus)
    for batch in triples(400, 60, 5):
        trainer.step(*batch)
    print("mean", meter.mean)


if __name__ == "__main__":
    main()
