# gradwatch-corpus: kind=memory-climb
# holder: self.waiting | ledger.waiting
"""Click model on feature blocks; conversions come late and are matched by small coroutines."""
import random

import numpy as np
import torch
from torch import nn

torch.manual_seed(2)
torch.set_num_threads(1)
random.seed(2)

FEATURES, BATCH, STEPS = 180, 512, 210


class ClickModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = nn.Sequential(
            nn.Linear(FEATURES, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 1)
        )

    def forward(self, x):
        return self.tower(x).squeeze(1)


def attribution(step, block, score):
    """Waits for the conversions of its impressions and yields the credit of each column."""
    credit = None
    while True:
        clicked = yield credit
        if clicked is None:
            return
        weight = score[clicked]
        credit = (block[clicked] * weight[:, None]).sum(0) / max(weight.sum(), 1e-6)


class Ledger:
    def __init__(self, patience=6):
        self.waiting = {}
        self.patience = patience
        self.credit = np.zeros(FEATURES, dtype=np.float32)
        self.settled = 0

    def open(self, step, block, score):
        matcher = attribution(step, block, score)
        next(matcher)
        self.waiting[step] = matcher  # <- culprit

    def settle(self, step):
        matcher = self.waiting.get(step)  # <- culprit
        if matcher is None:
            return
        clicked = np.array(random.sample(range(BATCH), 20))
        self.credit = 0.9 * self.credit + 0.1 * matcher.send(clicked)
        self.settled += 1


def traffic(gen, truth):
    while True:
        x = torch.randn(BATCH, FEATURES, generator=gen)
        p = torch.sigmoid(x @ truth)
        yield x, torch.bernoulli(p, generator=gen)


def main():
    gen = torch.Generator().manual_seed(5)
    truth = torch.randn(FEATURES, generator=gen) / 6
    model = ClickModel()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    ledger = Ledger()
    for step, (x, y) in enumerate(traffic(gen, truth)):
        if step == STEPS:
            break
        logit = model(x)
        loss = nn.functional.binary_cross_entropy_with_logits(logit, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        ledger.open(step, x.numpy(), torch.sigmoid(logit.detach()).numpy())
        ledger.settle(step - ledger.patience)
        if step % 50 == 0:
            print(f"{step:4d} bce {loss.item():.4f} settled {ledger.settled}")
    top = np.argsort(-np.abs(ledger.credit))[:5]
    print("columns with the most credit", top.tolist())


if __name__ == "__main__":
    main()
