# gradwatch-corpus: kind=graph-held
# holder: self.scores | trial.scores | stopper.scores | t.scores
# first-bad: 1
# notice: 20
# also: graph-unused
"""Small random search over learning rates; median-stopping on the validation curve."""
import random
from statistics import median

import torch
from torch import nn


class Trial:
    def __init__(self, number, params):
        self.number, self.params = number, params
        self.scores = []

    def report(self, score):
        self.scores.append(score)  # <- culprit

    @property
    def best(self):
        return min(self.scores)


class Study:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.trials = []

    def ask(self):
        t = Trial(len(self.trials), {"lr": 10 ** self.rng.uniform(-3.5, -1.5), "width": self.rng.choice([16, 32])})
        self.trials.append(t)
        return t

    def should_prune(self, trial):
        k = len(trial.scores)
        peers = [float(t.scores[k - 1]) for t in self.trials[:-1] if len(t.scores) >= k]
        return len(peers) >= 2 and k > 15 and float(trial.scores[-1]) > 3 * median(peers)


def objective(study, trial, data, steps=48):
    (xt, yt), (xv, yv) = data
    w = trial.params["width"]
    net = nn.Sequential(nn.Linear(8, w), nn.Tanh(), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, 1))
    opt = torch.optim.Adam(net.parameters(), lr=trial.params["lr"])
    mse = nn.MSELoss()
    for step in range(steps):
        net.train()
        b = torch.randint(0, len(xt), (64,))
        opt.zero_grad()
        mse(net(xt[b]), yt[b]).backward()
        opt.step()
        if step % 2 == 0:
            net.eval()
            val = mse(net(xv), yv)  # <- culprit
            trial.report(val)  # <- culprit
            if study.should_prune(trial):
                print("  pruned", trial.number, "at", step)
                break
    return float(trial.best)


def main():
    torch.manual_seed(0)
    f = lambda x: (x[:, :2].sin().sum(1) + x[:, 2] * x[:, 3]).unsqueeze(1)
    x = torch.randn(500, 8)
    data = (x[:400], f(x[:400])), (x[400:], f(x[400:]))
    study = Study(1)
    for _ in range(4):
        t = study.ask()
        print(t.number, t.params, "->", round(objective(study, t, data), 4))


if __name__ == "__main__":
    main()
