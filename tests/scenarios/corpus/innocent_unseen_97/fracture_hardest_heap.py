# gradwatch-corpus: kind=none
"""X-ray patch classifier; a short list of the hardest patches is kept for the radiologist's review."""
import heapq
import itertools
from dataclasses import dataclass, field
from operator import attrgetter

import torch
from torch import nn


@dataclass(order=True, slots=True)
class Hard:
    score: float
    seq: int
    loss: torch.Tensor = field(compare=False)
    probs: torch.Tensor = field(compare=False)


class HardList:
    def __init__(self, size):
        self.size, self._heap, self._seq = size, [], itertools.count()

    def offer(self, losses, probs):
        for loss, p in zip(losses, probs):
            item = Hard(loss.item(), next(self._seq), loss, p)
            if len(self._heap) < self.size:
                heapq.heappush(self._heap, item)
            else:
                heapq.heappushpop(self._heap, item)

    def age(self, by):
        for item in self._heap:
            item.score *= by
        heapq.heapify(self._heap)

    def __iter__(self):
        return iter(sorted(self._heap, key=attrgetter("score"), reverse=True))


def patches(gen, n=16):
    label = torch.randint(0, 2, (n,), generator=gen)
    img = 0.5 * torch.randn(n, 1, 10, 10, generator=gen)
    for k in torch.nonzero(label).flatten().tolist():
        col = int(torch.randint(2, 8, (), generator=gen))
        img[k, 0, :, col] += 1.2
    return img, label


def main():
    torch.set_num_threads(1)
    torch.manual_seed(111)
    gen = torch.Generator().manual_seed(112)
    net = nn.Sequential(nn.Conv2d(1, 5, (7, 1)), nn.ReLU(), nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(5, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    hardest = HardList(size=12)
    for it in range(340):
        img, label = patches(gen)
        logits = net(img)
        each = nn.functional.cross_entropy(logits, label, reduction="none")
        opt.zero_grad()
        each.mean().backward()
        opt.step()
        hardest.offer(each, logits.softmax(-1))
        hardest.age(0.97)
        if it % 85 == 84:
            top = next(iter(hardest))
            print(f"{it + 1:4d}  loss {each.mean().item():.4f}  hardest {top.loss.item():.3f} p={top.probs.tolist()}")


if __name__ == "__main__":
    main()
