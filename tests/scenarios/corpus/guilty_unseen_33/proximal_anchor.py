# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.shadow[name] | self.anchor.shadow | self.anchor.shadow[name] | anchor.shadow | anchor.shadow[name] | self.shadow["0.weight"] | self.anchor.shadow["0.weight"] | run.anchor.shadow["0.weight"] | run.anchor.shadow | run.anchor.shadow[name]
# first-bad: 1
"""Fine-tuning with a proximal pull towards a slow average of the weights."""
from functools import wraps

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SlowAnchor:
    def __init__(self, module, tau=0.02, mu=0.1, include=("weight", "bias")):
        self.tau, self.mu = tau, mu
        self.names = [n for n, _ in module.named_parameters() if n.split(".")[-1] in include]
        self.shadow = {n: p.detach().clone() for n, p in module.named_parameters() if n in self.names}

    def penalty(self, module):
        live = dict(module.named_parameters())
        return self.mu * sum((live[n] - self.shadow[n]).pow(2).sum() for n in self.names)

    def refresh(self, module):
        for name, p in module.named_parameters():
            if name in self.shadow:
                self.shadow[name] = torch.lerp(self.shadow[name], p, self.tau)  # <- culprit


def keeps_anchor(step):
    """Refresh the run's anchor ahead of every call of the wrapped step."""

    @wraps(step)
    def inner(run, *batch):
        run.anchor.refresh(run.net)  # <- culprit
        return step(run, *batch)

    return inner


class FineTune:
    def __init__(self, in_dim, n_cls):
        self.net = nn.Sequential(nn.Linear(in_dim, 32), nn.ReLU(), nn.Linear(32, n_cls))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.anchor = SlowAnchor(self.net)

    @keeps_anchor
    def step(self, xb, yb):
        logits = self.net(xb)
        task = F.cross_entropy(logits, yb)
        loss = task + self.anchor.penalty(self.net)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        acc = (logits.argmax(1) == yb).float().mean()
        return task.item(), acc.item()


def blobs(n=640, dim=10, classes=4):
    centers = 1.5 * torch.randn(classes, dim)
    y = torch.randint(0, classes, (n,))
    return TensorDataset(centers[y] + torch.randn(n, dim), y)


def main():
    torch.manual_seed(5)
    loader = DataLoader(blobs(), batch_size=32, shuffle=True)
    run = FineTune(10, 4)
    for epoch in range(4):
        losses, accs = [], []
        for xb, yb in loader:
            l, a = run.step(xb, yb)
            losses.append(l)
            accs.append(a)
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.3f} acc {sum(accs) / len(accs):.3f}")


if __name__ == "__main__":
    main()
