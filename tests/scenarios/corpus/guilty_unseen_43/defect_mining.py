# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty | self.sampler.difficulty | mem.difficulty
# first-bad: 1
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Sampler


class WaferPatches(Dataset):
    """8x8 patches; a few carry a scratch."""

    def __init__(self, n=600, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.img = 0.4 * torch.randn(n, 1, 8, 8, generator=g)
        self.lab = (torch.rand(n, generator=g) < 0.2).long()
        rows = torch.randint(0, 8, (n,), generator=g)
        for k in torch.nonzero(self.lab).flatten().tolist():
            self.img[k, 0, rows[k]] += 0.7

    def __len__(self):
        return len(self.lab)

    def __getitem__(self, k):
        return k, self.img[k], self.lab[k]


class HardExampleSampler(Sampler):
    def __init__(self, n, per_epoch, temperature=0.7, seed=0):
        self.n = n
        self.per_epoch = per_epoch
        self.temperature = temperature
        self.rng = random.Random(seed)
        self.difficulty = {}

    def __len__(self):
        return self.per_epoch

    def __iter__(self):
        default = 1.0
        w = [float(self.difficulty.get(k, default)) ** self.temperature + 1e-3 for k in range(self.n)]
        yield from self.rng.choices(range(self.n), weights=w, k=self.per_epoch)

    def _set(self, key, value):
        self.difficulty[key] = value  # <- culprit

    def feedback(self, keys, losses):
        for k, l in zip(keys.tolist(), losses):  # <- culprit
            self._set(k, l)  # <- culprit

    def hardest(self, k=3):
        return sorted(self.difficulty, key=lambda j: -float(self.difficulty[j]))[:k]


class PatchNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.fc = nn.Linear(16 * 16, 2)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.fc(x.flatten(1))


class MiningTrainer:
    def __init__(self, net, data, sampler, batch_size=20, lr=0.02):
        self.net = net
        self.sampler = sampler
        self.loader = DataLoader(data, batch_size=batch_size, sampler=sampler)
        self.sgd = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)

    def step(self, keys, x, y):
        per_patch = F.cross_entropy(self.net(x), y, reduction="none")
        loss = per_patch.mean()
        self.sgd.zero_grad()
        loss.backward()
        self.sgd.step()
        self.sampler.feedback(keys, per_patch)  # <- culprit
        return loss.item()

    def epoch(self):
        seen = [self.step(*batch) for batch in self.loader]
        return sum(seen) / len(seen)


def main():
    torch.manual_seed(1)
    data = WaferPatches()
    sampler = HardExampleSampler(len(data), per_epoch=400)
    trainer = MiningTrainer(PatchNet(), data, sampler)
    for e in range(5):
        avg = trainer.epoch()
        print(f"epoch {e}: loss {avg:.4f}, hardest {sampler.hardest()}")


if __name__ == "__main__":
    main()
