# gradwatch-corpus: kind=graph-held
# holder: trainer.guard.skipped | self.guard.skipped | self.skipped
# first-bad: 3
# notice: 8
# after: pytorch/pytorch #10348 "Possible memory leak when exceptions are raised" / OpenNMT-py #2195 (skip the batch that triggers it)
"""Readmission risk from token bags of discharge notes; some notes are too long and are skipped."""
import torch
from torch import nn


class NoteTooLong(RuntimeError):
    pass


class SkipGuard:
    """`with guard(step): ...` -- swallow the known errors, go on with the next micro-batch."""

    def __init__(self, *kinds):
        self.kinds = kinds
        self.skipped = []
        self.where = None

    def __call__(self, where):
        self.where = where
        return self

    def __enter__(self):
        return self

    def __exit__(self, et, err, tb):
        if err is not None and isinstance(err, self.kinds):
            self.skipped.append((self.where, err))  # <- culprit
            return True
        return False

    def report(self):
        return f"{len(self.skipped)} micro-batches skipped, e.g. {self.skipped[0][1]}" if self.skipped else "none skipped"


class RiskModel(nn.Module):
    def __init__(self, vocab=400, dim=32, budget=60):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True, dropout=0.0)
        self.out = nn.Linear(dim, 1)
        self.budget = budget

    def forward(self, tokens):
        h = self.mix(self.emb(tokens))
        pooled = h.mean(1)
        if tokens.size(1) > self.budget:
            raise NoteTooLong(f"{tokens.size(1)} tokens > {self.budget}")
        return self.out(pooled).squeeze(-1)


class Trainer:
    def __init__(self, model, micro=3):
        self.model, self.micro = model, micro
        self.opt = torch.optim.AdamW(model.parameters(), 1e-3)
        self.guard = SkipGuard(NoteTooLong)
        self.bce = nn.BCEWithLogitsLoss()

    def micro_step(self, tokens, label):
        logit = self.model(tokens)
        loss = self.bce(logit, label) / self.micro
        loss.backward()

    def fit(self, batches):
        for step, group in enumerate(batches):
            self.opt.zero_grad()
            for tokens, label in group:
                with self.guard(step):
                    self.micro_step(tokens, label)
            self.opt.step()
        print(self.guard.report())


def data(steps, micro, seed=4):
    g = torch.Generator().manual_seed(seed)
    for s in range(steps):
        group = []
        for m in range(micro):
            n = 80 if (s % 3 == 2 and m == 1) else int(torch.randint(20, 55, (1,), generator=g))
            group.append((torch.randint(0, 400, (6, n), generator=g), torch.randint(0, 2, (6,), generator=g).float()))
        yield group


trainer = Trainer(RiskModel())
trainer.fit(data(90, trainer.micro))
