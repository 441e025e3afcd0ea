# gradwatch-corpus: kind=graph-held
# holder: shelf[name] | shelf | self.shelf | tap.shelf | tap.shelf["neck"]
# first-bad: 1
"""Beach litter classifier on drone tiles.  Per-class mean activations of the neck and the head input
are written at the end, for the confusion poster."""
import contextlib
from collections import Counter, defaultdict

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)
KINDS = ("wood", "net", "bottle", "foam", "rope")


class Tile(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 10, 3, stride=2, padding=1), nn.BatchNorm2d(10), nn.ReLU())
        self.neck = nn.Sequential(nn.Conv2d(10, 20, 3, stride=2, padding=1), nn.BatchNorm2d(20), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flat = nn.Flatten()
        self.head = nn.Linear(20, len(KINDS))

    def forward(self, x):
        return self.head(self.flat(self.pool(self.neck(self.stem(x)))))


class ActivationTap(contextlib.ExitStack):
    """with ActivationTap(net, 'neck', 'flat') as tap: ..."""

    def __init__(self, net, *layers):
        super().__init__()
        self.shelf = defaultdict(list)
        for name, layer in net.named_modules():
            if name in layers:
                self.callback(layer.register_forward_hook(self._keeper(name)).remove)

    def _keeper(self, name):
        shelf = self.shelf

        def keep(layer, args, result):
            if not layer.training:
                return
            summary = result.flatten(2).mean(2) if result.dim() == 4 else result  # <- culprit
            shelf[name].append(summary)  # <- culprit

        return keep

    def table(self, name):
        return torch.cat(self.shelf[name])


def tiles(rows):
    while True:
        y = torch.randint(len(KINDS), (rows,))
        x = torch.randn(rows, 3, 24, 24) * 0.4
        ramp = torch.linspace(-1, 1, 24)
        x[:, 0] += ramp * (y.view(-1, 1, 1) - 2)
        x[:, 1] += ramp.view(-1, 1) * (y.view(-1, 1, 1) % 2)
        yield x, y


@torch.no_grad()
def audit(net, source, n=3):
    net.eval()
    hits = Counter()
    for _ in range(n):
        x, y = next(source)
        for truth, guess in zip(y.tolist(), net(x).argmax(1).tolist()):
            hits[truth == guess] += 1
    net.train()
    return hits[True] / sum(hits.values())


def main(iters=240):
    net = Tile()
    sgd = torch.optim.SGD(net.parameters(), lr=0.04, momentum=0.9, nesterov=True)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, iters)
    source, labels = tiles(16), []
    with ActivationTap(net, "neck", "flat") as tap:
        for it in range(iters):
            x, y = next(source)
            loss = F.cross_entropy(net(x), y, label_smoothing=0.05)
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            cosine.step()
            labels.append(y)
            if it % 60 == 59:
                print(f"{it + 1:4d}  loss {loss.item():.3f}  held-out {audit(net, source):.3f}")
        every = torch.cat(labels)
        for name in ("neck", "flat"):
            rows = tap.table(name)
            for k, kind in enumerate(KINDS):
                print(f"{name:5s} {kind:7s} mean activation {rows[every == k].mean().item():.3f}")


main()
