# gradwatch-corpus: kind=none
"""Sparse mixture-of-experts layer on a token-tagging task, with capacity, load statistics and auxiliary losses that
are picked up from the layers after the forward pass. Callbacks are attached by name through the run's signals."""
import torch
import torch.nn.functional as F
from torch import nn

from moe import MoELayer, collect_aux
from signals import Signals
from tagging import TagSource


class Tagger(nn.Module):
    def __init__(self, vocab, dim, tags):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim // 3)
        self.layers = nn.ModuleList(MoELayer(dim, 2 * dim, experts=4) for _ in range(2))
        self.head = nn.Linear(dim, tags)

    def forward(self, grams):
        h = self.embed(grams).flatten(1)
        for layer in self.layers:
            h = h + layer(h)
        return self.head(h)


class LoadReport:
    def __init__(self, model, signals, every):
        self.model, self.every = model, every
        signals.on("after_step", self.report)

    def report(self, step, loss, **_):
        if step % self.every == 0:
            shares = [[round(s, 2) for s in layer.load.share()] for layer in self.model.layers]
            print(f"step {step:4d} loss {loss.item():.3f} load {shares}")


class Plateau:
    """Lowers the learning rate when the mean of the recent losses is no better than of those before."""

    def __init__(self, optimizer, signals, window=40):
        self.optimizer, self.window = optimizer, window
        signals.on("after_step", self.check)

    def check(self, step, recent, **_):
        if len(recent) < 2 * self.window or step % self.window:
            return
        values = [e["loss"].item() for e in recent]
        old, new = values[: self.window], values[self.window:]
        if sum(new) > 0.999 * sum(old):
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.5


def main(steps=300):
    torch.manual_seed(51)
    torch.set_num_threads(1)
    source = TagSource(vocab=60, tags=6, context=3, seed=52)
    model = Tagger(60, 24, 6)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    signals = Signals(keep=80)
    LoadReport(model, signals, every=60)
    Plateau(optimizer, signals)
    for step in range(steps):
        grams, tags = source.batch(96)
        loss = F.cross_entropy(model(grams), tags) + 0.02 * collect_aux(model)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        signals.emit("after_step", step=step, loss=loss)
    model.eval()
    with torch.no_grad():
        grams, tags = source.batch(1000)
        print(f"accuracy {(model(grams).argmax(1) == tags).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
