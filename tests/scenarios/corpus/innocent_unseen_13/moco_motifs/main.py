# gradwatch-corpus: kind=none
"""Momentum contrast on motif sequences; key bank and key network as in the original paper, and
hard keys are logged for the appendix."""
import torch

from contrast import KeyBank, MomentumPair
from motifs import MotifSource
from records import HardKeyLog, Smoothed


class Pretraining:
    def __init__(self, seed=0):
        self.source = MotifSource(seed=seed)
        self.pair = MomentumPair(self.source.alphabet, self.source.length, dim=24)
        self.bank = KeyBank(size=512, dim=24)
        self.opt = torch.optim.SGD(self.pair.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
        self.smoothed = Smoothed(0.95)
        self.hard = HardKeyLog(keep=20)
        self.last_logits = None

    def step(self, it):
        a, b = self.source.two_views(48)
        q = self.pair.embed_query(a)
        k = self.pair.embed_key(b)
        logits = self.bank.logits(q, k)
        self.last_logits = logits.detach()
        loss = torch.nn.functional.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pair.follow()
        self.hard.consider(it, self.last_logits, k)
        self.bank.enqueue(k)
        self.smoothed += loss.item()
        return loss

    def run(self, iterations):
        for it in range(iterations):
            loss = self.step(it)
            if it % 100 == 0:
                top1 = (self.last_logits.argmax(1) == 0).float().mean().item()
                print(f"{it:5d} loss {loss.item():.3f} ({self.smoothed.value:.3f}) top1 {top1:.2f} "
                      f"hardest margin {self.hard.worst():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Pretraining().run(400)
