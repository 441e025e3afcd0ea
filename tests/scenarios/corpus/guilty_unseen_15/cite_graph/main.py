# gradwatch-corpus: kind=second-backward
# holder: self._prop | self.prop._prop | propagator._prop | net.prop._prop | prop | self.net.prop._prop
# first-bad: 1
"""Semi-supervised node classification on a planted citation graph,
with learned edge strengths and two propagation layers."""
import logging

import torch
import torch.nn.functional as F

from graph import planted_citations
from model import CiteNet

log = logging.getLogger("cite")


def masked_accuracy(logits, labels, mask):
    return (logits[mask].argmax(1) == labels[mask]).float().mean().item()


class Experiment:
    def __init__(self, seed=13, epochs=250):
        torch.manual_seed(seed)
        self.epochs = epochs
        self.data = planted_citations(n=120, classes=4, feats=20, seed=seed)
        self.net = CiteNet(self.data, hidden=16)
        strengths = [self.net.prop.strength]
        rest = [p for p in self.net.parameters() if p is not self.net.prop.strength]
        self.opt = torch.optim.Adam([
            {"params": rest, "lr": 1e-2, "weight_decay": 5e-4},
            {"params": strengths, "lr": 5e-3},
        ])

    def epoch(self):
        self.net.train()
        logits = self.net(self.data.x)
        loss = F.cross_entropy(logits[self.data.train], self.data.y[self.data.train])
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def score(self):
        self.net.eval()
        with torch.no_grad():
            logits = self.net(self.data.x)
        return masked_accuracy(logits, self.data.y, ~self.data.train)

    def run(self):
        for e in range(self.epochs):
            loss = self.epoch()
            if e % 50 == 0 and e:
                log.info("epoch %d loss %.3f test %.3f", e, loss, self.score())


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    Experiment().run()
