# gradwatch-corpus: kind=none
"""Vector-quantised tile compressor. Trains on generated map tiles, tracks code usage, and takes
intermediate features from the encoder through a tap for the perceptual term."""
import torch

from codebook import Codebook
from harness import Harness, Listener
from model import FeatureTap, TileCoder
from tiles import tile_stream


class UsageListener(Listener):
    def __init__(self, size):
        self.counts = torch.zeros(size)

    def on_result(self, harness, result):
        self.counts.mul_(0.99).add_(torch.bincount(result["codes"].flatten(), minlength=len(self.counts)))

    def perplexity(self):
        p = self.counts / self.counts.sum()
        return torch.exp(-(p * (p + 1e-9).log()).sum()).item()


class LogListener(Listener):
    def __init__(self, usage, every):
        self.usage = usage
        self.every = every
        self.sums = {}
        self.n = 0

    def on_result(self, harness, result):
        for name, value in result["losses"].items():
            self.sums[name] = self.sums.get(name, 0.0) + value.detach()
        self.n += 1
        if self.n == self.every:
            text = "  ".join(f"{k} {v.item() / self.n:.4f}" for k, v in self.sums.items())
            print(f"{harness.index + 1:4d}  {text}  perplexity {self.usage.perplexity():.1f}")
            self.sums.clear()
            self.n = 0


def main(steps=240):
    torch.manual_seed(64)
    coder = TileCoder(width=12, codebook=Codebook(size=48, dim=12, decay=0.97))
    tap = FeatureTap(coder.encoder[0])
    usage = UsageListener(48)
    harness = Harness(coder, tap, torch.optim.Adam(coder.parameters(), lr=2e-3), [usage, LogListener(usage, 60)])
    harness.run(tile_stream(batch=4, size=24, seed=13), steps)
    tap.close()


if __name__ == "__main__":
    main()
