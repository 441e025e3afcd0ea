# gradwatch-corpus: kind=inplace-modified
# first-bad: 74
"""forge: a few hundred lines of trainer, cut down to what the bug reports use."""
from contextlib import contextmanager
from functools import partial

import torch
from torch import nn

EVENTS = ("run_start", "batch_ready", "loss_ready", "step_done", "run_done")
EXTENSIONS = {}


def extension(name):
    def wrap(cls):
        EXTENSIONS[name] = cls
        return cls
    return wrap


class Bench:
    def __init__(self, model, opt, loss_fn, extensions):
        self.model, self.opt, self.loss_fn = model, opt, loss_fn
        self.it = 0
        self.handlers = {e: [] for e in EVENTS}
        for name, kw in extensions.items():
            EXTENSIONS[name](**kw).attach(self)

    def on(self, event, fn, *args):
        self.handlers[event].append(partial(fn, self, *args))

    def emit(self, event, **payload):
        for h in self.handlers[event]:
            h(**payload)

    def run(self, batches):
        self.emit("run_start")
        for self.it, (x, y) in enumerate(batches):
            self.emit("batch_ready", x=x, y=y)
            loss = self.loss_fn(self.model(x), y)
            self.emit("loss_ready", loss=loss)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.emit("step_done")
        self.emit("run_done")


@extension("ema")
class EmaWeights:
    def __init__(self, decay, every, holdout):
        self.decay, self.every, self.holdout = decay, every, holdout
        self.shadow = {}

    def attach(self, bench):
        self.shadow = {k: v.detach().clone() for k, v in bench.model.state_dict().items()}
        bench.on("step_done", self.track)
        bench.on("loss_ready", self.score)  # <- culprit

    @torch.no_grad()
    def track(self, bench):
        for k, v in bench.model.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.decay)

    @contextmanager
    def applied(self, model):
        live = {k: v.detach().clone() for k, v in model.state_dict().items()}
        model.load_state_dict(self.shadow)  # <- culprit
        try:
            yield model
        finally:
            model.load_state_dict(live)  # <- culprit

    @torch.no_grad()
    def score(self, bench, loss):
        if (bench.it + 1) % self.every:
            return
        x, y = self.holdout
        with self.applied(bench.model) as m:
            acc = (m(x).argmax(1) == y).float().mean().item()
        print(f"it {bench.it:4d}  loss {loss.item():.3f}  ema holdout acc {acc:.3f}")


@extension("noise")
class InputNoise:
    def __init__(self, sigma):
        self.sigma = sigma

    def attach(self, bench):
        bench.on("batch_ready", self.jitter)

    def jitter(self, bench, x, y):
        x.add_(torch.randn_like(x), alpha=self.sigma)


def spirals(n, classes=4, seed=None):
    g = torch.Generator().manual_seed(seed) if seed is not None else None
    y = torch.randint(0, classes, (n,), generator=g)
    r = torch.rand(n, generator=g)
    phi = 4 * r + y * (2 * torch.pi / classes) + 0.15 * torch.randn(n, generator=g)
    return torch.stack([r * phi.cos(), r * phi.sin()], dim=1), y


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 4))
    bench = Bench(
        model, torch.optim.Adam(model.parameters(), lr=3e-3), nn.CrossEntropyLoss(label_smoothing=0.05),
        {"noise": {"sigma": 0.01}, "ema": {"decay": 0.98, "every": 75, "holdout": spirals(4000, seed=1)}},
    )
    bench.run(spirals(4096) for _ in range(300))


if __name__ == "__main__":
    main()
