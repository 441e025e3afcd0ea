# gradwatch-corpus: kind=graph-held
# holder: pairwise_distances | pairwise_distances.cache_info()
# first-bad: 1
"""Metric learning for re-identification with batch-hard triplets."""
from functools import lru_cache

import torch
from torch import nn
import torch.nn.functional as F

IDENTITIES = 20
PER_ID = 4
IDS_PER_BATCH = 8


@lru_cache(maxsize=None)  # <- culprit
def pairwise_distances(embeddings):
    dots = embeddings @ embeddings.t()
    sq = dots.diagonal()
    d2 = sq.unsqueeze(0) - 2 * dots + sq.unsqueeze(1)
    return (d2.clamp_min(0) + 1e-8).sqrt()


def batch_hard_triplet(embeddings, ids, margin):
    dist = pairwise_distances(embeddings)  # <- culprit
    same = ids.unsqueeze(0) == ids.unsqueeze(1)
    hardest_pos = (dist * same).amax(dim=1)
    hardest_neg = (dist + 1e3 * same).amin(dim=1)
    return F.relu(hardest_pos - hardest_neg + margin).mean()


def center_spread(embeddings, ids):
    dist = pairwise_distances(embeddings)
    same = ids.unsqueeze(0) == ids.unsqueeze(1)
    return (dist * same).sum() / same.sum()


def rank1(embeddings, ids):
    dist = pairwise_distances(embeddings)
    eye = torch.eye(len(ids)) * 1e6
    nearest = (dist + eye).argmin(dim=1)
    return (ids[nearest] == ids).float().mean().item()


class EmbeddingNet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.head = nn.Linear(16 * 16, dim)

    def forward(self, x):
        x = F.leaky_relu(self.bn1(self.conv1(x)), 0.1)
        x = F.leaky_relu(self.conv2(x), 0.1)
        return F.normalize(self.head(x.flatten(1)), dim=1)


def pk_sampler(templates, steps):
    for _ in range(steps):
        chosen = torch.randperm(IDENTITIES)[:IDS_PER_BATCH]
        ids = chosen.repeat_interleave(PER_ID)
        images = templates[ids] + 0.4 * torch.randn(len(ids), 1, 16, 16)
        yield images, ids


def run(steps=120):
    torch.manual_seed(77)
    templates = torch.randn(IDENTITIES, 1, 16, 16)
    net = EmbeddingNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for it, (images, ids) in enumerate(pk_sampler(templates, steps)):
        emb = net(images)
        triplet = batch_hard_triplet(emb, ids, margin=0.3)
        spread = center_spread(emb, ids)
        loss = triplet + 0.1 * spread
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 20 == 0:
            print(f"it {it:3d} triplet {triplet.item():.4f} rank1 {rank1(emb, ids):.3f}")


if __name__ == "__main__":
    run()
