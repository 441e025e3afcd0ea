# gradwatch-corpus: kind=graph-held
# holder: self.records | handler.records
# first-bad: 1
"""CTC phoneme recogniser on synthetic filterbanks."""
import logging
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

logger = logging.getLogger("ctc")


class SessionHandler(logging.Handler):
    """Keeps the session's records for the end-of-run report."""

    def __init__(self, level=logging.DEBUG):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append(record)

    def by_level(self, level):
        return [r.getMessage() for r in self.records if r.levelno == level]


@dataclass
class Hparams:
    steps: int = 420
    batch: int = 8
    frames: int = 24
    mels: int = 12
    phones: int = 6
    label_len: int = 4
    hidden: int = 32
    lr: float = 3e-3
    grad_clip: float = 5.0


class Recogniser(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.subsample = nn.Conv1d(hp.mels, hp.hidden, 3, stride=2, padding=1)
        self.rnn = nn.GRU(hp.hidden, hp.hidden, bidirectional=True, batch_first=True)
        self.head = nn.Linear(2 * hp.hidden, hp.phones + 1)

    def forward(self, feats):
        x = F.relu(self.subsample(feats.transpose(1, 2))).transpose(1, 2)
        x, _ = self.rnn(x)
        return self.head(x).log_softmax(-1)


class Corpus:
    def __init__(self, hp, seed=17):
        self.hp = hp
        self.gen = torch.Generator().manual_seed(seed)
        self.templates = torch.randn(hp.phones + 1, hp.mels, generator=self.gen)

    def __iter__(self):
        hp = self.hp
        reps = hp.frames // hp.label_len
        for _ in range(hp.steps):
            labels = torch.randint(1, hp.phones + 1, (hp.batch, hp.label_len), generator=self.gen)
            feats = self.templates[labels].repeat_interleave(reps, dim=1)
            yield feats + 0.3 * torch.randn(feats.shape, generator=self.gen), labels


def main():
    hp = Hparams()
    torch.manual_seed(1)
    handler = SessionHandler()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False

    model = Recogniser(hp)
    optim = torch.optim.Adam(model.parameters(), lr=hp.lr)
    for step, (feats, labels) in enumerate(Corpus(hp)):
        logp = model(feats).transpose(0, 1)
        in_len = torch.full((hp.batch,), logp.shape[0])
        lab_len = torch.full((hp.batch,), hp.label_len)
        loss = F.ctc_loss(logp, labels, in_len, lab_len, zero_infinity=True)
        optim.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), hp.grad_clip).item()
        optim.step()
        logger.debug("step %d loss %.4f norm %.3f", step, loss, norm)  # <- culprit
        if step % 70 == 0:
            logger.info("step %d blank rate %.2f", step, (logp.argmax(-1) == 0).float().mean().item())

    print("\n".join(handler.by_level(logging.INFO)))
    print(handler.by_level(logging.DEBUG)[-1])


if __name__ == "__main__":
    main()
