# gradwatch-corpus: kind=graph-chain
# holder: self.ensemble | ens.ensemble | callback.ensemble | callbacks[0].ensemble
"""Semi-supervised routing of support tickets: bag of word ids -> queue, with temporal ensembling
on a fixed pool of unlabelled tickets (Laine & Aila)."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


class BagClassifier(nn.Module):
    """A word votes directly for the queues; no hidden layer."""

    def __init__(self, vocab, queues):
        super().__init__()
        self.votes = nn.EmbeddingBag(vocab, queues, mode="mean")
        self.bias = nn.Parameter(torch.zeros(queues))

    def forward(self, words):
        return self.votes(words) + self.bias


class Callback:
    def extra_loss(self, model, step):
        return 0.0

    def after_step(self, model, step):
        pass


class TemporalEnsemble(Callback):
    def __init__(self, pool, queues, alpha=0.6, ramp=30, weight=4.0):
        self.pool = pool
        self.alpha = alpha
        self.ramp = ramp
        self.weight = weight
        self.ensemble = torch.full((len(pool), queues), 1.0 / queues)

    def extra_loss(self, model, step):
        probs = model(self.pool).softmax(dim=1)
        gap = F.mse_loss(probs, self.ensemble)
        self.ensemble = self.alpha * self.ensemble + (1 - self.alpha) * probs  # <- culprit
        return self.weight * min(1.0, step / self.ramp) * gap


class PrintAccuracy(Callback):
    def __init__(self, words, queue, every):
        self.words, self.queue, self.every = words, queue, every

    def after_step(self, model, step):
        if (step + 1) % self.every == 0:
            with torch.no_grad():
                acc = (model(self.words).argmax(1) == self.queue).float().mean()
            print(f"step {step + 1}: accuracy {acc:.3f}")


def tickets(n, vocab, queues, gen, length=12):
    queue = torch.randint(0, queues, (n,), generator=gen)
    topical = queue[:, None] * (vocab // queues) + torch.randint(0, vocab // queues, (n, length), generator=gen)
    noise = torch.randint(0, vocab, (n, length), generator=gen)
    keep = torch.rand(n, length, generator=gen) < 0.35
    return torch.where(keep, topical, noise), queue


def train(model, labelled, callbacks, opts):
    optim = torch.optim.Adam(model.parameters(), lr=opts.lr)
    words, queue = labelled
    for step in range(opts.steps):
        pick = torch.randint(0, len(words), (opts.batch,))
        loss = F.cross_entropy(model(words[pick]), queue[pick])
        for cb in callbacks:
            loss = loss + cb.extra_loss(model, step)
        optim.zero_grad()
        loss.backward(retain_graph=True)
        optim.step()
        for cb in callbacks:
            cb.after_step(model, step)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--vocab", type=int, default=200)
    ap.add_argument("--queues", type=int, default=5)
    opts = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(3)
    labelled = tickets(60, opts.vocab, opts.queues, gen)
    pool, _ = tickets(150, opts.vocab, opts.queues, gen)
    test = tickets(400, opts.vocab, opts.queues, gen)
    callbacks = [TemporalEnsemble(pool, opts.queues), PrintAccuracy(*test, every=25)]
    train(BagClassifier(opts.vocab, opts.queues), labelled, callbacks, opts)
