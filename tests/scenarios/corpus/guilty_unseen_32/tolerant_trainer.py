# gradwatch-corpus: kind=second-backward
# holder: self.state | model.state | self.encoder.state | encoder.state | self.model.encoder.state | model.encoder.state
# first-bad: 1
# also: graph-chain
"""Sensor drift detector. Batches that cannot be processed are skipped and counted."""
import logging
import time

import torch
import torch.nn as nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("drift")


class StreamEncoder(nn.Module):
    """Keeps its state between calls so that a sequence may arrive in chunks."""

    def __init__(self, channels, hidden):
        super().__init__()
        self.cell = nn.GRUCell(channels, hidden)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, chunk):
        h = self.state  # <- culprit
        for x in chunk.unbind(1):
            h = self.cell(x, h)
        self.state = h  # <- culprit
        return h


class DriftModel(nn.Module):
    def __init__(self, channels=5, hidden=24):
        super().__init__()
        self.encoder = StreamEncoder(channels, hidden)
        self.score = nn.Linear(hidden, 1)

    def forward(self, chunk):
        return self.score(self.encoder(chunk)).squeeze(1)


class Recordings:
    def __init__(self, n=16, chunks=12, width=10, channels=5):
        t = torch.arange(chunks * width).float()
        onset = torch.randint(20, 100, (n, 1))
        drift = (t - onset).clamp(min=0) * 0.03
        self.data = drift.unsqueeze(2) + 0.3 * torch.randn(n, chunks * width, channels)
        self.late = (t > onset).float()
        self.width = width

    def __iter__(self):
        for start in range(0, self.data.size(1), self.width):
            stop = start + self.width
            yield self.data[:, start:stop], self.late[:, stop - 1]


class BaseTrainer:
    max_epochs = 8

    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.skipped = 0

    def compute_loss(self, batch):
        raise NotImplementedError

    def before_epoch(self):
        pass

    def train_step(self, batch):
        self.opt.zero_grad()
        try:
            loss = self.compute_loss(batch)
            loss.backward()
            self.opt.step()
        except RuntimeError as exc:
            log.debug("batch skipped: %s", exc)
            self.skipped += 1
            self.opt.zero_grad()
            return None
        return loss.item()

    def train(self, loader):
        for epoch in range(self.max_epochs):
            self.before_epoch()
            began = time.perf_counter()
            done = [v for v in map(self.train_step, loader) if v is not None]
            took = time.perf_counter() - began
            log.info("epoch %d  loss %.4f  (%.2fs, %d skipped so far)",
                     epoch, sum(done) / max(len(done), 1), took, self.skipped)


class DriftTrainer(BaseTrainer):
    def before_epoch(self):
        self.model.encoder.reset()

    def compute_loss(self, batch):
        chunk, late = batch
        return nn.functional.binary_cross_entropy_with_logits(self.model(chunk), late)


if __name__ == "__main__":
    torch.manual_seed(9)
    DriftTrainer(DriftModel(), lr=5e-3).train(Recordings())
