# gradwatch-corpus: kind=none
"""Two event streams (audio, caption) joined in a time window; pairs train two linear towers."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class WindowJoin:
    def __init__(self, window):
        self.window = window
        self.left = {}
        self.right = {}
        self.unmatched = 0

    def put_left(self, key, ts, emb):
        self.left[key] = (ts, emb)

    def put_right(self, key, ts, emb):
        self.right[key] = (ts, emb)

    def matches(self):
        keys = [k for k in self.left if k in self.right]
        return [(self.left.pop(k)[1], self.right.pop(k)[1]) for k in keys]

    def watermark(self, now):
        for side in (self.left, self.right):
            late = [k for k, (ts, _) in side.items() if now - ts > self.window]
            for k in late:
                del side[k]
            self.unmatched += len(late)


class Towers(nn.Module):
    def __init__(self, da, dt, dim):
        super().__init__()
        self.audio = nn.Linear(da, dim)
        self.text = nn.Linear(dt, dim)


def feed(rng, n):
    """Yields (time, side, key); some events have no partner, partners come a bit later."""
    later = {}
    for t in range(n):
        for key in later.pop(t, ()):
            yield t, "text", key
        for j in range(3):
            key = (t, j)
            yield t, "audio", key
            if rng.random() < 0.93:
                later.setdefault(t + rng.randrange(1, 14), []).append(key)


def main():
    torch.manual_seed(53)
    rng = random.Random(53)
    pa, pt = torch.randn(4, 12), torch.randn(4, 9)
    model = Towers(12, 9, 8)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.8)
    join = WindowJoin(window=20)
    secrets, clock, updates = {}, -1, 0
    for t, side, key in feed(rng, 700):
        if t != clock:
            join.watermark(t)
            secrets = {k: v for k, v in secrets.items() if t - k[0] <= 30}
            clock = t
            pairs = join.matches()
            if len(pairs) >= 2:
                a = F.normalize(torch.stack([p[0] for p in pairs]), dim=-1)
                b = F.normalize(torch.stack([p[1] for p in pairs]), dim=-1)
                loss = F.cross_entropy(5.0 * a @ b.t(), torch.arange(len(pairs)))
                opt.zero_grad()
                loss.backward()
                opt.step()
                updates += 1
                if updates % 80 == 0:
                    print(f"t={t} pairs {len(pairs)} loss {loss.item():.3f} waiting {len(join.left)}/{len(join.right)} lost {join.unmatched}")
        z = secrets.setdefault(key, torch.randn(4))
        if side == "audio":
            join.put_left(key, t, model.audio(z @ pa + 0.1 * torch.randn(12)))
        else:
            join.put_right(key, t, model.text(z @ pt + 0.1 * torch.randn(9)))


if __name__ == "__main__":
    main()
