# gradwatch-corpus: kind=second-backward
# holder: self.slots | xbm.slots
# first-bad: 150
# also: graph-held
"""Product retrieval embeddings with a contrastive loss and cross batch memory (Wang et al. 2020).
The memory is only consulted after the embedding drift has calmed down."""
import argparse
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--classes", type=int, default=200)
parser.add_argument("--batch", type=int, default=48)
parser.add_argument("--xbm-start", type=int, default=150)
parser.add_argument("--xbm-batches", type=int, default=256)
parser.add_argument("--iters", type=int, default=500)
parser.add_argument("--seed", type=int, default=5)


class CrossBatchMemory:
    def __init__(self, batches):
        self.slots = deque(maxlen=batches)

    def enqueue(self, feats, targets):
        self.slots.append((feats, targets))  # <- culprit

    def fetch(self):
        feats, targets = zip(*self.slots)
        return torch.cat(feats), torch.cat(targets)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=0.5):
        super().__init__()
        self.margin = margin

    def forward(self, q, q_lab, ref, ref_lab):
        sim = q @ ref.t()
        same = q_lab[:, None] == ref_lab[None, :]
        itself = sim.detach() > 1 - 1e-5
        pos = (1 - sim)[same & ~itself]
        neg = F.relu(sim - self.margin)[~same]
        neg = neg[neg > 0]
        return (pos.sum() + neg.sum()) / len(q)


class Backbone(nn.Module):
    def __init__(self, d_in=32, d_out=24):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, d_out))

    def forward(self, x):
        return F.normalize(self.f(x))


class Catalogue:
    def __init__(self, classes, dim=32):
        self.proto = torch.randn(classes, dim)

    def pk_batch(self, n, k=4):
        cls = torch.randperm(len(self.proto))[: n // k].repeat_interleave(k)
        return self.proto[cls] + 0.7 * torch.randn(len(cls), self.proto.size(1)), cls


@torch.no_grad()
def recall_at_1(net, shop, n=200):
    net.eval()
    x, y = shop.pk_batch(n)
    s = net(x) @ net(x).t()
    s.fill_diagonal_(-2)
    net.train()
    return (y[s.argmax(1)] == y).float().mean().item()


def main(args):
    torch.manual_seed(args.seed)
    shop, net = Catalogue(args.classes), Backbone()
    xbm, criterion = CrossBatchMemory(args.xbm_batches), ContrastiveLoss()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for i in range(args.iters):
        x, y = shop.pk_batch(args.batch)
        f = net(x)
        loss = criterion(f, y, f, y)
        if i >= args.xbm_start:
            mem_f, mem_y = xbm.fetch()
            loss = loss + 0.5 * criterion(f, y, mem_f, mem_y)
        xbm.enqueue(f, y)  # <- culprit
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 50 == 0:
            print(f"iter {i:4d} loss {loss.item():.3f} R@1 {recall_at_1(net, shop):.3f} memory {len(xbm.slots)}")


if __name__ == "__main__":
    main(parser.parse_args())
