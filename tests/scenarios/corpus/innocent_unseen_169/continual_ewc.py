# gradwatch-corpus: kind=none
import random
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(161)
random.seed(161)


@dataclass
class Anchor:
    task: int
    weights: dict
    fisher: dict


class Regulariser:
    """Online EWC; the penalties of a step stay with their graphs until the step is over."""

    def __init__(self, strength):
        self.strength, self.anchors, self.terms = strength, [], {}

    def consolidate(self, task, model, x, y):
        fisher = {k: torch.zeros_like(p) for k, p in model.named_parameters()}
        loss = F.nll_loss(model(x).log_softmax(1), y, reduction="none")
        for i in range(len(x)):
            grads = torch.autograd.grad(loss[i], list(model.parameters()), retain_graph=i + 1 < len(x))
            for k, g in zip(fisher, grads):
                fisher[k] += g.pow(2) / len(x)
        self.anchors.append(Anchor(task, {k: p.detach().clone() for k, p in model.named_parameters()}, fisher))

    def __call__(self, model):
        self.terms.clear()
        for a in self.anchors:
            self.terms[a.task] = sum((a.fisher[k] * (p - a.weights[k]).pow(2)).sum()
                                     for k, p in model.named_parameters())
        return self.strength * sum(self.terms.values()) if self.terms else 0.0


class Replay:
    def __init__(self, size):
        self.size, self.rows, self.seen = size, [], 0

    def add(self, x, y, logits):
        for row in zip(x, y, logits.detach()):
            self.seen += 1
            if len(self.rows) < self.size:
                self.rows.append(row)
            elif (j := random.randrange(self.seen)) < self.size:
                self.rows[j] = row

    def draw(self, n):
        return [torch.stack(c) for c in zip(*random.sample(self.rows, n))]


class Learner:
    def __init__(self, d, k):
        self.model = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, k))
        self.ewc, self.replay = Regulariser(20.0), Replay(120)
        self.log = []

    def stage(self, task, x, y, steps):
        opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        running = 0.0
        for step in range(steps):
            idx = torch.randint(len(x), (24,))
            logits = self.model(x[idx])
            loss = F.cross_entropy(logits, y[idx]) + self.ewc(self.model)
            if task and len(self.replay.rows) >= 16:
                xr, yr, old = self.replay.draw(16)
                again = self.model(xr)
                loss = loss + 0.5 * F.mse_loss(again, old) + 0.5 * F.cross_entropy(again, yr)
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.replay.add(x[idx][:4], y[idx][:4], logits[:4])
            running += loss.detach()
            if step % 15 == 14:
                self.log.append((task, float(running) / 15))
                running = 0.0
        self.ewc.terms.clear()
        self.ewc.consolidate(task, self.model, x[:40], y[:40])


def rotated(task, n=300):
    a = torch.tensor(0.5 * task)
    x = torch.randn(n, 4)
    u = a.cos() * x[:, 0] + a.sin() * x[:, 1]
    return x, (u > 0).long() + (x[:, 2] * u > 0.5).long()


def main():
    learner, data = Learner(4, 3), [rotated(t) for t in range(4)]
    for t, (x, y) in enumerate(data):
        learner.stage(t, x, y, steps=30)
        with torch.no_grad():
            acc = [(learner.model(a).argmax(1) == b).float().mean().item() for a, b in data[:t + 1]]
        print(f"after task {t}:", [round(v, 3) for v in acc], f"loss {learner.log[-1][1]:.3f}")


if __name__ == "__main__":
    main()
