# gradwatch-corpus: kind=none
"""Learned periodogram: classify variable stars from light curves folded at trial periods;
folds are cached because the same star comes round again soon."""
import contextvars
import functools
import math
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn

SOFTNESS = contextvars.ContextVar("SOFTNESS", default=1.0)
CLASSES = ("rrab", "rrc", "eclipsing")
PHASE_BINS = 20
TRIALS = 10
POINTS = 80


def lru(maxsize):
    def deco(fn):
        kept = OrderedDict()

        @functools.wraps(fn)
        def wrapper(catalogue, star):
            if star in kept:
                kept.move_to_end(star)
                return kept[star]
            value = fn(catalogue, star)
            kept[star] = value
            if len(kept) > maxsize:
                kept.popitem(last=False)
            return value

        return wrapper

    return deco


class Catalogue:
    """Light curves are made on demand from the star's number."""

    def __init__(self, size=400):
        self.size = size
        self.trials = torch.logspace(math.log10(0.3), math.log10(0.9), TRIALS)

    def label(self, star):
        return star % len(CLASSES)

    def light_curve(self, star):
        gen = torch.Generator().manual_seed(star)
        t = 30.0 * torch.rand(POINTS, generator=gen)
        period = self.trials[int(torch.randint(TRIALS, (), generator=gen))]
        phase = (t / period) % 1.0
        kind = CLASSES[self.label(star)]
        if kind == "rrab":
            mag = torch.where(phase < 0.2, 1.0 - 5.0 * phase, (phase - 0.2) / 0.8)
        elif kind == "rrc":
            mag = 0.5 + 0.4 * torch.sin(2 * math.pi * phase)
        else:
            mag = torch.exp(-((phase - 0.5) / 0.06) ** 2) + 0.4 * torch.exp(-((phase - 0.1) / 0.06) ** 2)
        return t, mag + 0.08 * torch.randn(POINTS, generator=gen)


@lru(maxsize=24)
def folded(catalogue, star):
    t, mag = catalogue.light_curve(star)
    phase = (t[None, :] / catalogue.trials[:, None]) % 1.0
    slot = (phase * PHASE_BINS).long().clamp_max(PHASE_BINS - 1)
    total = torch.zeros(TRIALS, PHASE_BINS).scatter_add_(1, slot, mag.expand(TRIALS, -1))
    count = torch.zeros(TRIALS, PHASE_BINS).scatter_add_(1, slot, torch.ones_like(phase))
    return total / count.clamp_min(1.0) - mag.mean()


class FoldClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv1d(1, 12, 5, padding=2, padding_mode="circular")
        self.score = nn.Linear(12, 1)
        self.verdict = nn.Linear(12, len(CLASSES))

    def forward(self, folds):
        n = folds.shape[0]
        h = F.gelu(self.features(folds.reshape(n * TRIALS, 1, PHASE_BINS))).amax(-1).reshape(n, TRIALS, -1)
        attention = torch.softmax(self.score(h).squeeze(-1) / SOFTNESS.get(), dim=1)
        return self.verdict((attention.unsqueeze(-1) * h).sum(1)), attention


def annealer(start, end, length):
    """Coroutine; lowers the softness, faster when the loss it is sent is low."""
    level = start
    last = None
    for _ in range(length):
        last = yield level
        level = max(end, level * (0.99 if last < 0.7 else 0.997))
    yield level


def star_batches(catalogue, n, size, seed=1):
    gen = torch.Generator().manual_seed(seed)
    for k in range(n):
        first = (k * 5) % catalogue.size
        stars = [(first + int(j)) % catalogue.size for j in torch.randint(20, (size,), generator=gen)]
        yield torch.stack([folded(catalogue, s) for s in stars]), torch.tensor([catalogue.label(s) for s in stars])


def main(steps=250):
    torch.manual_seed(7)
    catalogue = Catalogue()
    model = FoldClassifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    schedule = annealer(1.0, 0.25, steps)
    level = next(schedule)
    correct = 0.0
    for step, (folds, labels) in enumerate(star_batches(catalogue, steps, 12)):
        token = SOFTNESS.set(level)
        try:
            logits, attention = model(folds)
            entropy = -(attention * attention.clamp_min(1e-9).log()).sum(1).mean()
            loss = F.cross_entropy(logits, labels) + 0.01 * entropy
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        finally:
            SOFTNESS.reset(token)
        level = schedule.send(loss.item())
        correct += 0.05 * (logits.argmax(1).eq(labels).float().mean().item() - correct)
        if step % 50 == 0:
            print(f"{step:4d}  loss {loss.item():.4f}  acc {correct:.3f}  softness {level:.3f}")


if __name__ == "__main__":
    main()
