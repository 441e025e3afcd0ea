# gradwatch-corpus: kind=none
import argparse
import logging
from collections import deque

import torch
from torch import nn

log = logging.getLogger("triage")


class Callback:
    def on_batch_end(self, trainer):
        pass

    def on_fit_end(self, trainer):
        pass


class LossHistory(Callback):
    def __init__(self):
        self.losses = []
        self.smooth = None

    def on_batch_end(self, trainer):
        current = trainer.last["loss"].detach()
        self.losses.append(current)
        self.smooth = current if self.smooth is None else 0.9 * self.smooth + 0.1 * current
        if len(self.losses) % 40 == 0:
            log.info("batch %d  smoothed loss %.3f", len(self.losses), self.smooth.item())

    def on_fit_end(self, trainer):
        curve = torch.stack(self.losses)
        log.info("loss %.3f -> %.3f", curve[:10].mean().item(), curve[-10:].mean().item())


class ConfidenceWindow(Callback):
    """Last few batches of logits, for a calibration estimate."""

    def __init__(self, size):
        self.window = deque(maxlen=size)

    def _pick(self, logits):
        return torch.softmax(logits, dim=1).max(dim=1)

    def on_batch_end(self, trainer):
        with torch.no_grad():
            conf, guess = self._pick(trainer.last["logits"])
            self.window.append((conf, guess == trainer.last["target"]))

    def on_fit_end(self, trainer):
        conf = torch.cat([c for c, _ in self.window])
        hit = torch.cat([h for _, h in self.window]).float()
        log.info("confidence %.3f, accuracy %.3f", conf.mean().item(), hit.mean().item())


class WorstBatches(Callback):
    def __init__(self, k):
        self.k = k
        self.kept = []

    def on_batch_end(self, trainer):
        self.kept.append((float(trainer.last["loss"].detach()), trainer.last["tokens"]))
        self.kept = sorted(self.kept, key=lambda r: -r[0])[: self.k]


class TriageTrainer:
    def __init__(self, model, lr, callbacks):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.callbacks = callbacks
        self.last = {}

    def emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, batches):
        for tokens, target in batches:
            logits = self.model(tokens)
            loss = nn.functional.cross_entropy(logits, target)
            self.last = {"loss": loss, "logits": logits, "tokens": tokens, "target": target}
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.emit("on_batch_end")
        self.emit("on_fit_end")


def tickets(n, size, vocab, queues, length=16):
    for _ in range(n):
        target = torch.randint(0, queues, (size,))
        tokens = torch.randint(0, vocab, (size, length))
        topical = target[:, None] * (vocab // queues) + torch.randint(0, vocab // queues, (size, 4))
        yield torch.cat([tokens, topical], dim=1), target


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batches", type=int, default=160)
    ap.add_argument("--queues", type=int, default=6)
    ap.add_argument("--window", type=int, default=20)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s | %(message)s")
    torch.manual_seed(0)
    model = nn.Sequential(nn.EmbeddingBag(240, 24), nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, args.queues))
    callbacks = [LossHistory(), ConfidenceWindow(args.window), WorstBatches(5)]
    TriageTrainer(model, 5e-3, callbacks).fit(tickets(args.batches, 32, 240, args.queues))


if __name__ == "__main__":
    main()
