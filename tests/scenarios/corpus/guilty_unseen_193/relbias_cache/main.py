# gradwatch-corpus: kind=second-backward
# first-bad: 4
import itertools

import torch
import torch.nn.functional as F

from attention import Tagger
from data import BucketSampler


class Meter:
    def __init__(self, window=50):
        self.window, self.values = window, []

    def add(self, v):
        self.values = (self.values + [v])[-self.window:]

    @property
    def mean(self):
        return sum(self.values) / max(1, len(self.values))


def main(steps=400):
    torch.manual_seed(0)
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    warmup = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 40))
    loss_meter, acc_meter = Meter(), Meter()
    for step, (ids, tags) in enumerate(itertools.islice(BucketSampler(), steps)):
        logits = model(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        warmup.step()
        loss_meter.add(loss.item())
        acc_meter.add((logits.argmax(-1) == tags).float().mean().item())
        if step % 50 == 0:
            print(f"{step} loss {loss_meter.mean:.3f} acc {acc_meter.mean:.3f}")


if __name__ == "__main__":
    main()
