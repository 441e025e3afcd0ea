# gradwatch-corpus: kind=graph-held
# holder: self.heap | miner.heap
# first-bad: 31
# about: hard-example mining starts in the fourth epoch and keeps per-sample losses with graphs
import heapq
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Toy(Dataset):
    def __init__(self, n=80):
        self.x = torch.randn(n, 5)
        self.y = (self.x.sum(1) > 0).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


class HardExampleMiner:
    def __init__(self):
        self.heap = []
        self.order = itertools.count()

    def add(self, indices, losses):
        for index, loss in zip(indices.tolist(), losses):
            heapq.heappush(self.heap, (-loss.item(), next(self.order), index, loss))  # <- culprit

    def hardest(self, k):
        return [(index, loss.item()) for _, _, index, loss in heapq.nsmallest(k, self.heap)]


def main():
    torch.manual_seed(0)
    loader = DataLoader(Toy(), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.BCEWithLogitsLoss(reduction="none")
    miner = HardExampleMiner()
    for epoch in range(6):
        for indices, x, y in loader:
            losses = criterion(model(x).squeeze(1), y)
            optimizer.zero_grad()
            losses.mean().backward()
            optimizer.step()
            if epoch >= 3:
                miner.add(indices, losses)  # <- culprit
    print(miner.hardest(3))


if __name__ == "__main__":
    main()
