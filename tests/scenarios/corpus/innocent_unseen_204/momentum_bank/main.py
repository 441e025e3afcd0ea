# gradwatch-corpus: kind=none
import torch

from augment import pairs
from bank import FeatureBank
from encoders import Encoder, MomentumPair


class Pretrainer:
    def __init__(self, seed, bank_size=256, temperature=0.2):
        torch.manual_seed(seed)
        self.pair = MomentumPair(Encoder(20, 16), momentum=0.98)
        self.bank = FeatureBank(bank_size, 16)
        self.temperature = temperature
        self.opt = torch.optim.SGD(self.pair.student.parameters(), lr=0.05, momentum=0.9)

    def contrast(self, query, key):
        own = (query * key).sum(1, keepdim=True)
        others = query @ self.bank.features.t()
        logits = torch.cat([own, others], dim=1) / self.temperature
        return torch.nn.functional.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))

    def step(self, a, b):
        query, key = self.pair(a, b)
        loss = self.contrast(query, key)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pair.follow()
        self.bank.push(key)
        return loss.item()


if __name__ == "__main__":
    trainer = Pretrainer(seed=13)
    for i, (a, b) in enumerate(pairs(420, seed=14)):
        value = trainer.step(a, b)
        if i % 105 == 0:
            print(i, round(value, 4))
