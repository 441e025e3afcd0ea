# gradwatch-corpus: kind=graph-held
# holder: self.seen[name] | self.seen | probe.seen | probe.seen[name]
# first-bad: 1
"""Are units dying? Train a digit-like classifier and look at what the layers put out."""
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def blobs(n=1600, side=8, classes=10, seed=31):
    g = torch.Generator().manual_seed(seed)
    proto = torch.rand(classes, 1, side, side, generator=g)
    y = torch.randint(classes, (n,), generator=g)
    return TensorDataset(proto[y] + 0.4 * torch.randn(n, 1, side, side, generator=g), y)


class Block(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, 3, padding=1)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.conv(x))


class SmallNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.enter = Block(1, 6)
        self.deep = Block(6, 10)
        self.pool = nn.AvgPool2d(4)
        self.out = nn.Linear(10 * 4, classes)

    def forward(self, x):
        return self.out(self.pool(self.deep(self.enter(x))).flatten(1))


class ActivationProbe:
    """Context manager: gathers outputs of the named children while it is open."""

    def __init__(self, net, names, every=1):
        self.net = net
        self.names = names
        self.every = every
        self.calls = defaultdict(int)
        self.seen = defaultdict(list)
        self.handles = []

    def __enter__(self):
        for name in self.names:
            layer = self.net.get_submodule(name)
            self.handles.append(layer.register_forward_hook(self._hook_for(name)))
        return self

    def __exit__(self, *exc):
        while self.handles:
            self.handles.pop().remove()

    def _hook_for(self, name):
        def hook(module, args, output):
            self.calls[name] += 1
            if module.training and self.calls[name] % self.every == 0:
                self.seen[name].append(output.flatten(2).mean(dim=2))  # <- culprit
        return hook

    def report(self):
        for name, outs in self.seen.items():
            stacked = torch.cat(outs)
            dead = int((stacked.amax(dim=0) <= 0).sum())
            print(f"{name:>6}: mean {stacked.mean().item():.4f}, dead channels {dead}/{stacked.size(1)}")


def train(net, loader, epochs):
    opt = torch.optim.NAdam(net.parameters(), lr=5e-3)
    crit = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        net.train()
        right = count = 0
        for images, labels in loader:
            scores = net(images)
            loss = crit(scores, labels)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            right += (scores.argmax(1) == labels).sum().item()
            count += labels.numel()
        print(f"epoch {epoch}: accuracy {right / count:.3f}")


def main():
    torch.manual_seed(0)
    loader = DataLoader(blobs(), batch_size=40, shuffle=True)
    net = SmallNet()
    with ActivationProbe(net, ["enter", "deep"]) as probe:
        train(net, loader, epochs=3)
    probe.report()


if __name__ == "__main__":
    main()
