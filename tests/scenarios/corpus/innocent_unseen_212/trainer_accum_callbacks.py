# gradwatch-corpus: kind=none
"""Lightning-ish trainer: accumulation, epoch outputs, rolling checkpoints, temporary feature hook."""
import collections
import contextlib

import torch
from torch import nn


class Callback:
    def batch_end(self, tr, out): ...
    def epoch_end(self, tr): ...


class EpochOutputs(Callback):
    def __init__(self):
        self.outs = []

    def batch_end(self, tr, out):
        self.outs.append({k: v.detach() for k, v in out.items()})

    def epoch_end(self, tr):
        print(tr.epoch, {k: round(torch.stack([o[k] for o in self.outs]).mean().item(), 4) for k in self.outs[0]})
        self.outs.clear()


class RollingCheckpoint(Callback):
    def __init__(self, keep=3):
        self.saved = collections.deque(maxlen=keep)

    def epoch_end(self, tr):
        self.saved.append({k: v.clone() for k, v in tr.model.state_dict().items()})


@contextlib.contextmanager
def captured(module):
    feats = []
    handle = module.register_forward_hook(lambda m, i, o: feats.append(o))
    try:
        yield feats
    finally:
        handle.remove()


class Trainer:
    def __init__(self, model, callbacks, accumulate=4):
        self.model, self.callbacks, self.accumulate = model, callbacks, accumulate
        self.opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
        self.epoch = 0

    def step(self, i, x, y):
        with captured(self.model[1]) as feats:
            logits = self.model(x)
        ce = nn.functional.cross_entropy(logits, y)
        sparsity = feats[0].abs().mean()
        loss = ce + 0.01 * sparsity
        (loss / self.accumulate).backward()
        if (i + 1) % self.accumulate == 0:
            self.opt.step()
            self.opt.zero_grad()
        out = {"loss": loss, "sparsity": sparsity}
        for c in self.callbacks:
            c.batch_end(self, out)

    def fit(self, data, epochs):
        for self.epoch in range(epochs):
            for i, (x, y) in enumerate(data):
                self.step(i, x, y)
            for c in self.callbacks:
                c.epoch_end(self)


if __name__ == "__main__":
    torch.manual_seed(3)
    means = torch.randn(5, 24)
    ys = [torch.randint(0, 5, (32,)) for _ in range(24)]
    data = [(means[y] + torch.randn(32, 24), y) for y in ys]
    model = nn.Sequential(nn.Linear(24, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 5))
    Trainer(model, [EpochOutputs(), RollingCheckpoint()]).fit(data, epochs=6)
