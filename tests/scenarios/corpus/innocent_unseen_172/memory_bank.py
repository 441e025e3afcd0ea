# gradwatch-corpus: kind=none
"""Few-shot key-value memory: queries attend over a rolling bank, the two most recent writes stay
differentiable until the query after next."""
import torch
from torch import nn
from torch.nn import functional as F


class RollingBank:
    """Old keys as plain values; the freshest writes with their way back to the writer."""

    def __init__(self, dim, slots, fresh=2):
        self.slots, self.fresh = slots, fresh
        self.keys = torch.zeros(0, dim)
        self.labels = torch.zeros(0, dtype=torch.long)
        self.recent = []

    def view(self):
        if not self.recent:
            return self.keys, self.labels
        k, l = zip(*self.recent)
        return torch.cat([self.keys, *k]), torch.cat([self.labels, *l])

    def write(self, keys, labels):
        self.recent.append((keys, labels))

    def age(self):
        while len(self.recent) >= self.fresh:
            k, l = self.recent.pop(0)
            self.keys = torch.cat([self.keys, k.detach()])[-self.slots:]
            self.labels = torch.cat([self.labels, l])[-self.slots:]


class Writer(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, dim))
        self.k = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, dim))
        self.temp = nn.Parameter(torch.tensor(1.5))


class EpisodicLearner:
    def __init__(self, n_in=10, dim=16, classes=6):
        self.net = Writer(n_in, dim)
        self.bank = RollingBank(dim, 96)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.classes = classes
        self.hits = 0.5

    def read(self, x):
        keys, labels = self.bank.view()
        att = F.softmax(self.net.temp.exp() * F.normalize(self.net.q(x), dim=1) @ keys.T, dim=1)
        return att @ F.one_hot(labels, self.classes).float()

    def episode(self, support, queries):
        losses = []
        for (sx, sy), (qx, qy) in zip(support, queries):
            self.bank.age()
            self.bank.write(F.normalize(self.net.k(sx), dim=1), sy)
            p = self.read(qx)
            losses.append(F.nll_loss((p + 1e-6).log(), qy))
            self.hits += 0.02 * ((p.argmax(1) == qy).float().mean().item() - self.hits)
        loss = torch.stack(losses).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank.recent = [(k.data, l) for k, l in self.bank.recent]
        return loss


class Blobs:
    def __init__(self, seed, n_in=10, classes=6):
        self.g = torch.Generator().manual_seed(seed)
        self.mu = torch.randn(classes, n_in, generator=self.g) * 1.5

    def draw(self, n):
        y = torch.randint(0, len(self.mu), (n,), generator=self.g)
        return self.mu[y] + torch.randn(n, self.mu.shape[1], generator=self.g), y

    def episode(self, length=4):
        return [self.draw(8) for _ in range(length)], [self.draw(16) for _ in range(length)]


def main(episodes=500):
    torch.manual_seed(2)
    learner, world = EpisodicLearner(), Blobs(13)
    for e in range(episodes):
        loss = learner.episode(*world.episode())
        if e % 100 == 0:
            print(e, f"{loss:.3f} acc {learner.hits:.3f} bank {len(learner.bank.keys)}")


if __name__ == "__main__":
    main()
