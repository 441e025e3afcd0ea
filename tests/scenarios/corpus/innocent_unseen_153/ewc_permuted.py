# gradwatch-corpus: kind=none
"""Elastic weight consolidation over three permuted tasks."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(59)


class Task:
    base = None

    def __init__(self, d=16, n=320):
        if Task.base is None:
            c = torch.randn(4, d)
            y = torch.randint(0, 4, (n,))
            Task.base = (c[y] + 0.7 * torch.randn(n, d), y)
        x, self.y = Task.base
        self.x = x[:, torch.randperm(d)]

    def batches(self, size=40):
        for idx in torch.randperm(len(self.y)).split(size):
            yield self.x[idx], self.y[idx]


class EWC:
    def __init__(self, model, lam):
        self.model, self.lam = model, lam
        self.anchors = []

    def consolidate(self, task):
        fisher = {n: torch.zeros_like(p) for n, p in self.model.named_parameters()}
        for x, y in task.batches(20):
            self.model.zero_grad()
            F.nll_loss(F.log_softmax(self.model(x), 1), y).backward()
            for n, p in self.model.named_parameters():
                fisher[n] += p.grad.detach() ** 2 * len(y)
        self.model.zero_grad()
        means = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        self.anchors.append(({n: f / len(task.y) for n, f in fisher.items()}, means))

    def penalty(self):
        loss = 0.0
        for fisher, means in self.anchors:
            for n, p in self.model.named_parameters():
                loss = loss + (fisher[n] * (p - means[n]) ** 2).sum()
        return self.lam * loss


def accuracy(model, task):
    with torch.no_grad():
        return round((model(task.x).argmax(1) == task.y).float().mean().item(), 3)


tasks = [Task() for _ in range(3)]
model = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 4))
ewc = EWC(model, lam=40.0)
for k, task in enumerate(tasks):
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        for x, y in task.batches():
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y) + ewc.penalty()
            loss.backward()
            opt.step()
    ewc.consolidate(task)
    print("after task", k, [accuracy(model, t) for t in tasks[: k + 1]], "loss %.3f" % loss.item())
