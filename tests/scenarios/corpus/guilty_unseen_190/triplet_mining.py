# gradwatch-corpus: kind=crashed
# first-bad: 3
"""Metric learning on synthetic identities, batch-hard triplets."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class BatchHardTriplet(nn.Module):
    def __init__(self, margin=0.3):
        super().__init__()
        self.margin = margin

    def forward(self, emb, labels):
        dist = torch.cdist(emb, emb)
        same = labels[:, None] == labels[None, :]
        eye = torch.eye(len(labels), dtype=torch.bool)
        pos_mask, neg_mask = same & ~eye, ~same
        valid = pos_mask.any(1) & neg_mask.any(1)
        if not valid.any():
            return torch.tensor(0.0)  # <- culprit
        hardest_pos = (dist * pos_mask).max(1).values
        hardest_neg = dist.masked_fill(same, float("inf")).min(1).values
        per_anchor = F.relu(hardest_pos - hardest_neg + self.margin)
        return per_anchor[valid].mean()


class SequentialIdSampler:
    """Walks over the shots in the order of the recording."""

    def __init__(self, labels, batch):
        self.labels, self.batch = labels, batch

    def __iter__(self):
        n = len(self.labels)
        for s in range(0, n - self.batch + 1, self.batch):
            yield torch.arange(s, s + self.batch)


def recording(n_ids=40, dim=20):
    centres = torch.randn(n_ids, dim)
    lens = torch.randint(5, 9, (n_ids,))
    lens[25] = 60
    labels = torch.cat([torch.full((int(k),), i) for i, k in enumerate(lens)])
    labels_mixed = labels[:600]
    x = centres[labels_mixed] + 0.6 * torch.randn(len(labels_mixed), dim)
    return x, labels_mixed


class EmbeddingNet(nn.Module):
    def __init__(self, dim, out=12):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, 40), nn.BatchNorm1d(40), nn.PReLU(), nn.Linear(40, out))

    def forward(self, x):
        return F.normalize(self.layers(x), dim=1)


if __name__ == "__main__":
    torch.manual_seed(55)
    X, ids = recording()
    shots = torch.randperm(len(X))
    net = EmbeddingNet(X.shape[1])
    criterion = BatchHardTriplet()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    it = 0
    for epoch in range(40):
        sampler = SequentialIdSampler(ids, 12)
        for idx in sampler:
            if epoch == 0:
                idx = shots[idx]
            loss = criterion(net(X[idx]), ids[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            if it % 10 == 0:
                print(it, round(loss.item(), 4), flush=True)
            it += 1
