# gradwatch-corpus: kind=none
# about: a prefetch thread with a bounded queue, lists of floats that grow for ever (tiny), evaluation under inference_mode, at most 3 checkpoints, a cache of tile windows that fills early
"""Land-cover classification from synthetic satellite tiles with a background loader."""
import contextlib

import torch
from callbacks import BestK, Evaluate, History
from loader import Prefetcher, TileSource
from torch import nn


class Trainer:
    def __init__(self, net, opt, feed, callbacks):
        self.net, self.opt, self.feed, self.callbacks = net, opt, feed, callbacks
        self.n, self.last = 0, {}

    def emit(self, event):
        for c in self.callbacks:
            getattr(c, event, lambda *_: None)(self)

    def fit(self, n):
        for tiles, cover in self.feed:
            logits = self.net(tiles)
            loss = nn.functional.cross_entropy(logits, cover, label_smoothing=0.05)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.last = {"loss": loss.item(), "acc": (logits.argmax(1) == cover).float().mean().item()}
            self.n += 1
            self.emit("after_step")
            if self.n == n:
                break


def main():
    torch.manual_seed(15)
    net = nn.Sequential(
        nn.Conv2d(4, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 24, 3, stride=2, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.1), nn.Linear(24, 5))
    src = TileSource(classes=5, side=24, seed=15)
    best = BestK(3)
    hist = History(every=60)
    with contextlib.closing(Prefetcher(src, batch=24, depth=5)) as feed:
        tr = Trainer(net, torch.optim.AdamW(net.parameters(), lr=2e-3), feed, [hist, Evaluate(src.holdout(160), 30, best)])
        tr.fit(330)
    print("kept", {k: round(v[0], 3) for k, v in best.kept.items()}, "points", len(hist.curve), "windows", len(src.windows))


if __name__ == "__main__":
    main()
