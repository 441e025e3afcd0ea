# gradwatch-corpus: kind=graph-chain
# holder: totals | regret
# first-bad: 1
# notice: 5
"""Online softmax regression on a drifting stream, scored by cumulative regret."""
from itertools import accumulate, islice

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(9)


class DriftingStream:
    def __init__(self, dim=8, classes=3, drift=0.01):
        self.w = torch.randn(dim, classes)
        self.drift = drift

    def __iter__(self):
        while True:
            self.w += self.drift * torch.randn_like(self.w)
            x = torch.randn(20, self.w.size(0))
            y = (x @ self.w).argmax(dim=1)
            yield x, y


class OnlineSoftmax(nn.Module):
    def __init__(self, dim=8, classes=3):
        super().__init__()
        self.lin = nn.Linear(dim, classes)

    def forward(self, x):
        return F.log_softmax(self.lin(x), dim=-1)


class Learner:
    def __init__(self, model, lr=0.01):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.mistakes = 0

    def regrets(self, stream):
        for x, y in stream:
            logp = self.model(x)
            self.mistakes += int((logp.argmax(dim=1) != y).sum())
            yield F.nll_loss(logp, y)  # <- culprit

    def follow(self, stream, rounds):
        totals = accumulate(self.regrets(stream))  # <- culprit
        for t, regret in enumerate(islice(totals, rounds), start=1):
            self.opt.zero_grad()
            regret.backward(retain_graph=True)  # <- culprit
            nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
            self.opt.step()
            if t % 20 == 0:
                yield t, regret.item() / t, self.mistakes


def main():
    learner = Learner(OnlineSoftmax())
    for t, mean_regret, mistakes in learner.follow(DriftingStream(), rounds=100):
        print(f"round {t:3d} mean regret {mean_regret:.4f} mistakes {mistakes}")


if __name__ == "__main__":
    main()
