# gradwatch-corpus: kind=graph-held
# holder: self.store | miner.store
# first-bad: 1
"""Siamese/triplet training with offline-ish hard negatives."""
import torch
from torch import nn
import torch.nn.functional as F

from bank import NegativeMiner
from faces import FakeFaces

torch.set_num_threads(1)
torch.manual_seed(21)


class Encoder(nn.Module):
    def __init__(self, dim=48, out=16):
        super().__init__()
        self.fc1 = nn.Linear(dim, 64)
        self.bn = nn.BatchNorm1d(64)
        self.fc2 = nn.Linear(64, out)

    def forward(self, x):
        return F.normalize(self.fc2(F.relu(self.bn(self.fc1(x)))), dim=1)


def train():
    faces = FakeFaces()
    net = Encoder()
    miner = NegativeMiner()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    criterion = nn.TripletMarginLoss(margin=0.3)
    running = 0.0

    for it, ids in enumerate(faces.batches(100, 16)):
        anchor = net(faces.view(ids))
        positive = net(faces.view(ids))
        neg_ids = miner.propose(ids, anchor)
        if neg_ids is None:
            neg_ids = (ids + 1) % faces.n_ids
        negative = net(faces.view(neg_ids))

        loss = criterion(anchor, positive, negative)
        opt.zero_grad()
        loss.backward()
        opt.step()
        miner.remember(ids, anchor)  # <- culprit

        running = 0.95 * running + 0.05 * loss.item()
        if it % 20 == 0:
            print(f"iter {it} loss {running:.4f} bank {len(miner.store)}")


if __name__ == "__main__":
    train()
