# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn

from lm import RNNModel, batchify, markov_text, repackage


class Trainer:
    def __init__(self, ntoken=20, bsz=8, bptt=6):
        torch.manual_seed(1111)
        self.bptt = bptt
        self.bsz = bsz
        self.corpus = batchify(markov_text(4000, ntoken, 3), bsz)
        self.model = RNNModel(ntoken)
        self.criterion = nn.CrossEntropyLoss()
        self.optim = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.state = self.model.init_state(bsz)
        self.history = {"loss": [], "ppl": [], "hnorm": []}
        self.total_loss = 0.0

    def chunks(self):
        for i in range(0, len(self.corpus) - 1 - self.bptt, self.bptt):
            yield self.corpus[i:i + self.bptt], self.corpus[i + 1:i + 1 + self.bptt]

    def train_chunk(self, data, target):
        self.state = repackage(self.state)
        logits, self.state = self.model(data, self.state)
        loss = self.criterion(logits.flatten(0, 1), target.flatten())
        self.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.25)
        self.optim.step()
        self.total_loss += loss.detach()
        self.history["loss"].append(loss.detach())
        self.history["hnorm"].append(self.state[0].norm().item())

    def train_epoch(self):
        self.total_loss = 0.0
        n = 0
        for data, target in self.chunks():
            self.train_chunk(data, target)
            n += 1
        self.history["ppl"].append(math.exp(float(self.total_loss) / n))
        return self.history["ppl"][-1]


if __name__ == "__main__":
    trainer = Trainer()
    for epoch in range(1, 7):
        print(f"| epoch {epoch} | ppl {trainer.train_epoch():.2f} "
              f"| h {trainer.history['hnorm'][-1]:.2f}")
    print("chunks", len(trainer.history["loss"]))
