# gradwatch-corpus: kind=graph-chain
# holder: self.centers | self.criterion.center.centers | criterion.center.centers | center.centers | trainer.criterion.center.centers
# first-bad: 1
# notice: 5
"""Fine-tune an embedding head with softmax + center loss on frozen backbone features."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(11)
random.seed(11)

NUM_CLASSES = 6
FEAT_DIM = 48
EMB_DIM = 16


class FrozenBackboneFeatures:
    """Stands for a dump of ResNet features, one blob per identity."""

    def __init__(self, n=600):
        g = torch.Generator().manual_seed(3)
        means = torch.randn(NUM_CLASSES, FEAT_DIM, generator=g) * 1.5
        self.y = torch.randint(0, NUM_CLASSES, (n,), generator=g)
        self.x = means[self.y] + torch.randn(n, FEAT_DIM, generator=g)

    def batches(self, bs):
        order = torch.randperm(len(self.y))
        for i in range(0, len(order) - bs + 1, bs):
            idx = order[i:i + bs]
            yield self.x[idx], self.y[idx]


class CenterLoss(nn.Module):
    """Wen et al. 2016, centers moved by an exponential average instead of by their own SGD."""

    def __init__(self, num_classes, dim, alpha=0.2):
        super().__init__()
        self.alpha = alpha
        self.num_classes = num_classes
        self.centers = torch.zeros(num_classes, dim)

    def _move(self, emb, labels):
        hot = F.one_hot(labels, self.num_classes).to(emb.dtype)
        counts = hot.sum(0).clamp(min=1.0)
        means = (hot.t() @ emb) / counts[:, None]
        present = (hot.sum(0) > 0).to(emb.dtype)[:, None]
        rate = self.alpha * present
        self.centers = (1.0 - rate) * self.centers + rate * means  # <- culprit

    def forward(self, emb, labels):
        self._move(emb, labels)
        own = self.centers[labels]
        return (emb - own).pow(2).sum(1).mean() / 2


class JointCriterion(nn.Module):
    def __init__(self, lam=0.05):
        super().__init__()
        self.center = CenterLoss(NUM_CLASSES, EMB_DIM)
        self.lam = lam

    def forward(self, emb, logits, labels):
        ce = F.cross_entropy(logits, labels)
        cl = self.center(emb, labels)
        return ce + self.lam * cl, ce.item(), cl.item()


class Trainer:
    def __init__(self):
        self.embed = nn.Linear(FEAT_DIM, EMB_DIM)
        self.classify = nn.Linear(EMB_DIM, NUM_CLASSES)
        self.criterion = JointCriterion()
        params = list(self.embed.parameters()) + list(self.classify.parameters())
        self.opt = torch.optim.SGD(params, lr=0.05, momentum=0.9)
        self.data = FrozenBackboneFeatures()

    def step(self, x, y):
        emb = self.embed(x)
        logits = self.classify(emb)
        total, ce, cl = self.criterion(emb, logits, y)
        self.opt.zero_grad()
        total.backward(retain_graph=True)
        self.opt.step()
        acc = (logits.argmax(1) == y).float().mean().item()
        return ce, cl, acc

    def fit(self, epochs=6, bs=50):
        for ep in range(epochs):
            agg = [0.0, 0.0, 0.0]
            n = 0
            for x, y in self.data.batches(bs):
                res = self.step(x, y)
                agg = [a + r for a, r in zip(agg, res)]
                n += 1
            ce, cl, acc = (a / n for a in agg)
            if math.isnan(ce):
                raise SystemExit("diverged")
            print(f"epoch {ep}: ce {ce:.3f} center {cl:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    Trainer().fit()
