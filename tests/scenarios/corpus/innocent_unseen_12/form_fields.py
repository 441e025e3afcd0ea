# gradwatch-corpus: kind=none
"""Recogniser for handwritten form fields (toy strokes). Checkpoints are hashed on a pool, the
log's tail and the last rejected batches are kept for the crash report."""
import collections
import hashlib
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Deque

import torch
import torch.nn.functional as F
from torch import nn

log = logging.getLogger("fields")


class TailHandler(logging.Handler):
    """The last lines of the log, already laid out."""

    def __init__(self, lines=40):
        super().__init__(logging.DEBUG)
        self.tail: Deque[str] = collections.deque(maxlen=lines)

    def emit(self, record):
        self.tail.append(self.format(record))


class RejectedBatch(ValueError):
    pass


class CheckpointHasher:
    """Fingerprints of the weights; at most `ahead` are under way."""

    def __init__(self, ahead=3):
        self.pool = ThreadPoolExecutor(1)
        self.pending: Deque[Future] = collections.deque()
        self.ahead = ahead
        self.latest = ""

    @staticmethod
    def _digest(tensors):
        h = hashlib.sha1()
        for t in tensors:
            h.update(bytes(t.flatten().view(torch.uint8).tolist()))
        return h.hexdigest()[:10]

    def submit(self, model):
        snapshot = [p.detach().clone() for p in model.parameters() if p.numel() < 100]
        self.pending.append(self.pool.submit(self._digest, snapshot))
        while len(self.pending) > self.ahead:
            self.latest = self.pending.popleft().result()

    def close(self):
        while self.pending:
            self.latest = self.pending.popleft().result()
        self.pool.shutdown()


class FieldNet(nn.Module):
    def __init__(self, classes=8):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(6 * 36, classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class Trainer:
    def __init__(self):
        torch.manual_seed(14)
        self.net = FieldNet()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)
        self.hasher = CheckpointHasher()
        self.rejected: Deque[RejectedBatch] = collections.deque(maxlen=20)
        self.seen = 0.0

    def screen(self, logits, losses):
        if losses.max() > 2.3 * losses.mean():
            raise RejectedBatch(f"spread {(losses.max() / losses.mean()).item():.2f}")
        return losses.mean()

    def objective(self, x, y):
        logits = self.net(x)
        losses = F.cross_entropy(logits, y, reduction="none")
        try:
            return self.screen(logits, losses)
        except RejectedBatch as exc:
            self.rejected.append(exc.with_traceback(None))
            return losses.clamp(max=losses.median().item()).mean()

    def step(self, number, x, y):
        loss = self.objective(x, y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.seen += loss.detach().item()
        log.debug("step %d loss %.4f mean %.4f", number, loss.detach(), self.seen / (number + 1))
        if number % 5 == 0:
            self.hasher.submit(self.net)


def strokes(seed=90, batch=32):
    gen = torch.Generator().manual_seed(seed)
    glyphs = (torch.rand(8, 1, 12, 12, generator=gen) > 0.7).float()
    while True:
        y = torch.randint(8, (batch,), generator=gen)
        yield glyphs[y] + 0.4 * torch.randn(batch, 1, 12, 12, generator=gen), y


def main(steps=220):
    tail = TailHandler()
    tail.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(tail)
    trainer = Trainer()
    for number, (x, y) in zip(range(steps), strokes()):
        trainer.step(number, x, y)
        if number % 55 == 0:
            print(tail.tail[-1])
    trainer.hasher.close()
    print("fingerprint", trainer.hasher.latest, "| last rejected:", list(map(str, trainer.rejected))[-3:])


if __name__ == "__main__":
    main()
