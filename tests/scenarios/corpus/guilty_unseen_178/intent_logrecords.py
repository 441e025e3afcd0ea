# gradwatch-corpus: kind=graph-held
# holder: self.records | handler.records | record.args | logger.handlers[0].records
# first-bad: 1
"""Intent classifier for a support chatbot; run log is kept in memory and dumped at the end."""
import logging
import tempfile
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import nn


class RunLogHandler(logging.Handler):
    def __init__(self, target):
        super().__init__(level=logging.DEBUG)
        self.target = Path(target)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def dump(self):
        with self.target.open("w") as fh:
            for record in self.records:
                fh.write(self.format(record) + "\n")


@contextmanager
def run_log(name):
    logger = logging.getLogger(name)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    with tempfile.TemporaryDirectory() as tmp:
        handler = RunLogHandler(Path(tmp) / "run.log")
        handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        logger.addHandler(handler)
        try:
            yield logger
        finally:
            logger.removeHandler(handler)
            handler.dump()
            print("run log bytes", handler.target.stat().st_size)


class Utterances:
    def __init__(self, vocab=200, intents=7, length=12, batch=32):
        self.gen = torch.Generator().manual_seed(14)
        self.vocab, self.intents, self.length, self.batch = vocab, intents, length, batch

    def sample(self):
        y = torch.randint(0, self.intents, (self.batch,), generator=self.gen)
        topical = y[:, None] * 20 + torch.randint(0, 20, (self.batch, self.length), generator=self.gen)
        filler = torch.randint(0, self.vocab, (self.batch, self.length), generator=self.gen)
        pick = torch.rand(self.batch, self.length, generator=self.gen) < 0.4
        return torch.where(pick, topical, filler), y


class IntentNet(nn.Module):
    def __init__(self, vocab, intents, dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.att = nn.Linear(dim, 1)
        self.out = nn.Linear(dim, intents)

    def forward(self, tokens):
        e = self.embed(tokens)
        w = self.att(torch.tanh(e)).softmax(1)
        return self.out((w * e).sum(1))


class Diagnostics:
    def __init__(self, logger):
        self.logger = logger

    def after_step(self, step, loss, logits):
        self._line("step %d loss %.5f spread %.3f", step, loss, logits.detach().std().item())  # <- culprit

    def _line(self, template, *args):
        self.logger.debug(template, *args)


class IntentTask:
    def __init__(self, logger):
        self.data = Utterances()
        self.net = IntentNet(self.data.vocab, self.data.intents)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.diagnostics = Diagnostics(logger)

    def advance(self, step):
        tokens, y = self.data.sample()
        logits = self.net(tokens)
        loss = self.criterion(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.diagnostics.after_step(step, loss, logits)
        return (logits.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(9)
    with run_log("intent.run") as logger:
        task = IntentTask(logger)
        for step in range(450):
            acc = task.advance(step)
            if step % 90 == 0:
                print(f"{step:4d} acc {acc:.2f}")


if __name__ == "__main__":
    main()
