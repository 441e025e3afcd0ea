# gradwatch-corpus: kind=graph-chain
# holder: self.centers | center_loss.centers | stat_loss.centers | criterion.center.centers | self.center.centers
# first-bad: 1
# notice: 5
# also: graph-stale, retain-needless
"""Linear probe on frozen speaker features, softmax + lambda * center loss.

Features stand for what a frozen backbone gave us (in the real thing they are read from disk).
"""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Cfg:
    n_speakers: int = 8
    feat_dim: int = 40
    emb_dim: int = 16
    batch: int = 64
    steps: int = 110
    lr: float = 0.05
    alpha: float = 0.3
    lam: float = 0.02


class ClassStatistic(nn.Module):
    """One running vector per class, moved toward the batch mean of that class."""

    def __init__(self, num_classes, dim, alpha):
        super().__init__()
        self.num_classes = num_classes
        self.alpha = alpha
        self.register_buffer("centers", torch.zeros(num_classes, dim))
        self.register_buffer("seen", torch.zeros(num_classes))

    def batch_means(self, emb, labels):
        onehot = F.one_hot(labels, self.num_classes).to(emb.dtype)
        counts = onehot.sum(0)
        means = onehot.t() @ emb / counts.clamp(min=1).unsqueeze(1)
        return means, counts

    def update(self, emb, labels):
        means, counts = self.batch_means(emb, labels)
        present = (counts > 0).to(emb.dtype).unsqueeze(1)
        self.centers = self.centers + self.alpha * present * (means - self.centers)  # <- culprit
        self.seen += counts


class CenterLoss(ClassStatistic):
    def forward(self, emb, labels):
        if self.training:
            self.update(emb, labels)  # <- culprit
        return (emb - self.centers[labels]).pow(2).sum(1).mean()


class JointCriterion(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.center = CenterLoss(cfg.n_speakers, cfg.emb_dim, cfg.alpha)
        self.lam = cfg.lam

    def forward(self, emb, logits, labels):
        xent = F.cross_entropy(logits, labels)
        center = self.center(emb, labels)
        return xent + self.lam * center, {"xent": xent.item(), "center": center.item()}


class Probe(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.proj = nn.Linear(cfg.feat_dim, cfg.emb_dim)
        self.cls = nn.Linear(cfg.emb_dim, cfg.n_speakers)

    def forward(self, feats):
        emb = self.proj(feats)
        return emb, self.cls(F.relu(emb))


def speaker_batches(cfg):
    g = torch.Generator().manual_seed(3)
    voice = torch.randn(cfg.n_speakers, cfg.feat_dim, generator=g)
    for _ in range(cfg.steps):
        y = torch.randint(cfg.n_speakers, (cfg.batch,), generator=g)
        yield voice[y] + 1.2 * torch.randn(cfg.batch, cfg.feat_dim, generator=g), y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    cfg = Cfg()
    net, criterion = Probe(cfg), JointCriterion(cfg)
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg.steps)

    for step, (feats, y) in enumerate(speaker_batches(cfg)):
        emb, logits = net(feats)
        loss, parts = criterion(emb, logits, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        sched.step()
        if step % 20 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"{step:4d} xent {parts['xent']:.3f} center {parts['center']:.2f} acc {acc:.2f}")

    c = criterion.center.centers.detach()
    print("mean distance between centers", torch.pdist(c).mean().item())


if __name__ == "__main__":
    main()
