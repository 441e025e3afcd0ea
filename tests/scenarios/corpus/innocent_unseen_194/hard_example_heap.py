# gradwatch-corpus: kind=none
import heapq
import itertools

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(100)


class HardestExamples:
    """Keeps the outputs of the examples with the largest loss so far."""

    def __init__(self, size):
        self.size = size
        self._heap = []
        self._order = itertools.count()

    def offer(self, score, output, label):
        item = (score, next(self._order), output, label)
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, item)
        else:
            heapq.heappushpop(self._heap, item)

    def table(self, top=3):
        rows = heapq.nlargest(top, self._heap)
        return [f"{s:.2f} (p={o.softmax(-1)[y].item():.3f})" for s, _, o, y in rows]

    def __len__(self):
        return len(self._heap)


class Moths(torch.utils.data.IterableDataset):
    def __init__(self, n_species=6, wing=24, seed=3):
        g = torch.Generator().manual_seed(seed)
        self.prototypes = torch.randn(n_species, wing, generator=g)
        self.g = g

    def __iter__(self):
        while True:
            y = torch.randint(len(self.prototypes), (), generator=self.g)
            x = self.prototypes[y] + 0.9 * torch.randn(self.prototypes.shape[1], generator=self.g)
            yield x, y


class WingNet(nn.Module):
    def __init__(self, wing=24, hidden=48, n_species=6):
        super().__init__()
        self.inp = nn.Linear(wing, hidden)
        self.gate = nn.Linear(wing, hidden)
        self.out = nn.Linear(hidden, n_species)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        h = torch.sigmoid(self.gate(x)) * F.gelu(self.inp(x))
        return self.out(self.drop(h))


def main():
    net = WingNet()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    loader = torch.utils.data.DataLoader(Moths(), batch_size=32)
    hardest = HardestExamples(size=36)

    for step, (x, y) in enumerate(itertools.islice(loader, 500)):
        logits = net(x)
        each = F.cross_entropy(logits, y, reduction="none")
        loss = each.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()

        worst = int(each.argmax())
        hardest.offer(each[worst].item(), logits[worst], int(y[worst]))
        if step % 100 == 99:
            print(step + 1, f"{loss.item():.3f}", len(hardest), hardest.table())


if __name__ == "__main__":
    main()
