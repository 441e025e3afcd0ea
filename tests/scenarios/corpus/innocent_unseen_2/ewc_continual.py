# gradwatch-corpus: kind=none
"""Three tasks in a row with elastic weight consolidation; anchors and Fisher terms are kept for every task."""
import torch
from torch import nn


class EWC:
    def __init__(self, net, lam):
        self.net, self.lam, self.tasks = net, lam, []

    def consolidate(self, batches):
        fisher = {n: torch.zeros_like(p) for n, p in self.net.named_parameters()}
        for x, y in batches:
            lp = self.net(x).log_softmax(1).gather(1, y[:, None]).mean()
            gs = torch.autograd.grad(lp, list(self.net.parameters()))
            for (n, _), g in zip(self.net.named_parameters(), gs):
                fisher[n] += g.square() / len(batches)
        self.tasks.append(({n: p.detach().clone() for n, p in self.net.named_parameters()}, fisher))

    def penalty(self):
        total = torch.zeros(())
        for anchor, fisher in self.tasks:
            for n, p in self.net.named_parameters():
                total = total + (fisher[n] * (p - anchor[n]) ** 2).sum()
        return self.lam * total


torch.manual_seed(36)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
ewc = EWC(net, 50.0)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
dirs = torch.randn(3, 8)


def batch(task):
    x = torch.randn(32, 8)
    return x, (x @ dirs[task] > 0).long()


seen = {}
for task in range(3):
    for it in range(60):
        x, y = batch(task)
        ce = nn.functional.cross_entropy(net(x), y)
        loss = ce + ewc.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen[task] = loss
    ewc.consolidate([batch(task) for _ in range(5)])
    with torch.no_grad():
        acc = [(net(x).argmax(1) == y).float().mean().item() for x, y in map(batch, range(task + 1))]
    print("task", task, {k: round(v.item(), 3) for k, v in seen.items()}, acc)
