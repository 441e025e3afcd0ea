# gradwatch-corpus: kind=graph-held
# holder: self.records | collector.records | record.args
# first-bad: 1
import logging
import sys

import torch
from torch import nn

logger = logging.getLogger("anomaly")


class Collector(logging.Handler):
    """Keeps the run's records so that a summary can be written at the end."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def summary(self):
        lines = [r.getMessage() for r in self.records]
        return f"{len(lines)} lines, last: {lines[-1]}"


class Autoencoder(nn.Module):
    def __init__(self, vocab=50, window=10, dim=12, code=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.enc = nn.Sequential(nn.Linear(window * dim, 32), nn.ReLU(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, window * vocab))
        self.vocab = vocab

    def forward(self, ids):
        z = self.enc(self.emb(ids).flatten(1))
        return self.dec(z).view(len(ids), -1, self.vocab)


def windows(n):
    start = torch.randint(0, 50, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    return (start + stride * torch.arange(10)) % 50


def setup_logging():
    logger.setLevel(logging.DEBUG)
    console = logging.StreamHandler(sys.stdout)
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    collector = Collector()
    logger.addHandler(console)
    logger.addHandler(collector)
    return collector


def main():
    torch.manual_seed(40)
    collector = setup_logging()
    model = Autoencoder()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    best = float("inf")
    for step in range(480):
        ids = windows(32)
        logits = model(ids)
        loss = criterion(logits.flatten(0, 1), ids.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.debug("step %d reconstruction %s", step, loss)  # <- culprit
        if step % 80 == 79:
            with torch.no_grad():
                held = windows(128)
                acc = (model(held).argmax(-1) == held).float().mean().item()
            best = min(best, loss.item())
            logger.info("step %d acc %.3f best %.4f", step, acc, best)
    print(collector.summary())


if __name__ == "__main__":
    main()
