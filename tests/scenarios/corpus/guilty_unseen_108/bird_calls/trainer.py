from collections import Counter

from torch.nn.functional import cross_entropy


class Trainer:
    def __init__(self, net, opt):
        self.net, self.opt = net, opt
        self.tally = Counter()

    def epoch(self, batches):
        self.tally.clear()
        for wave, y in batches:
            self.step(wave, y)

    def step(self, wave, y):
        logits = self.net(wave)
        loss = cross_entropy(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.tally["n"] += len(y)
        self.tally["right"] += int((logits.argmax(1) == y).sum())
        self.tally["loss"] += loss.item() * len(y)

    def summary(self):
        n = max(self.tally["n"], 1)
        return {"acc": round(self.tally["right"] / n, 3), "loss": round(self.tally["loss"] / n, 3)}
