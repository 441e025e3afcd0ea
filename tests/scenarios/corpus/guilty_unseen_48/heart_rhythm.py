# gradwatch-corpus: kind=graph-held
# holder: self.stats | probe.stats | self.stats[module] | runner.callbacks[1].stats
# first-bad: 1
# also: graph-unused
"""Classify single heart beats (normal, premature, paced) from a short trace."""
import weakref
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

CALLBACKS = OrderedDict()


def callback(cls):
    CALLBACKS[cls.__name__] = cls
    return cls


class Callback:
    def attach(self, model):
        pass

    def epoch_end(self, epoch, model):
        pass


@callback
class LearningRateDrop(Callback):
    def __init__(self, opt):
        self.opt = opt

    def epoch_end(self, epoch, model):
        for group in self.opt.param_groups:
            group["lr"] *= 0.7


@callback
class ScaleProbe(Callback):
    """Follows the spread of each convolution's output, to choose the initialisation."""

    def __init__(self, opt):
        self.stats = weakref.WeakKeyDictionary()
        self.names = weakref.WeakKeyDictionary()

    def attach(self, model):
        for name, module in model.named_modules():
            if isinstance(module, nn.Conv1d):
                self.stats[module] = []
                self.names[module] = name
                module.register_forward_hook(self._on_forward)

    def _on_forward(self, module, inputs, output):
        if module.training:
            self.stats[module].append(self._spread(output))  # <- culprit

    @staticmethod
    def _spread(activation):
        return activation.flatten(1).std(dim=1).mean()  # <- culprit

    def epoch_end(self, epoch, model):
        parts = [f"{self.names[m]} {float(v[0]):.2f}->{float(v[-1]):.2f}" for m, v in self.stats.items()]
        print(f"epoch {epoch} spread: " + ", ".join(parts))


class BeatNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.stem = nn.Conv1d(1, 8, 9, padding=4)
        self.deep = nn.Conv1d(8, 16, 9, stride=4, padding=4)
        self.head = nn.Linear(16, classes)

    def forward(self, trace):
        x = F.relu(self.stem(trace))
        x = F.relu(self.deep(x))
        return self.head(x.mean(-1))


def beats(n, size=32, length=128):
    t = torch.linspace(-1, 1, length)
    width = torch.tensor([0.05, 0.12, 0.02])
    for _ in range(n):
        y = torch.randint(0, 3, (size,))
        shift = 0.3 * torch.randn(size, 1)
        x = torch.exp(-((t - shift) / width[y].unsqueeze(1)) ** 2)
        yield (x + 0.1 * torch.randn(size, length)).unsqueeze(1), y


class Runner:
    def __init__(self, model, lr=0.05):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.callbacks = [make(self.opt) for make in CALLBACKS.values()]
        for cb in self.callbacks:
            cb.attach(model)

    def train_epoch(self, epoch):
        self.model.train()
        seen = hits = 0
        for x, y in beats(25):
            self.opt.zero_grad()
            logits = self.model(x)
            F.cross_entropy(logits, y).backward()
            self.opt.step()
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        print(f"epoch {epoch} accuracy {hits / seen:.3f}")
        for cb in self.callbacks:
            cb.epoch_end(epoch, self.model)


def main():
    torch.manual_seed(8)
    runner = Runner(BeatNet())
    for epoch in range(4):
        runner.train_epoch(epoch)


if __name__ == "__main__":
    main()
