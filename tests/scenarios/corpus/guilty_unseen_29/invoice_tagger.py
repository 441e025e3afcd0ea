# gradwatch-corpus: kind=graph-held
# holder: quarantine | self.quarantine | job.quarantine
# first-bad: 1
"""Tag tokens of scanned invoices.  Batches the OCR got wrong are put aside with
their error and listed at the end of the run, the rest is trained on."""
import random

import torch
from torch import nn


class BadBatch(ValueError):
    pass


class Tagger(nn.Module):
    def __init__(self, vocab, tags, dim=24):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, tags))

    def forward(self, tokens):
        return self.mlp(self.emb(tokens))


class OcrPages:
    def __init__(self, vocab, tags, batch, seed):
        self.rng = random.Random(seed)
        self.vocab, self.tags, self.batch = vocab, tags, batch

    def pages(self, n):
        for k in range(n):
            tag = [self.rng.randrange(self.tags) for _ in range(self.batch)]
            tokens = [[(t * 7 + self.rng.randrange(5)) % self.vocab for _ in range(6)] for t in tag]
            amounts = torch.tensor([10.0 + t for t in tag])
            if k % 3 == 0:
                amounts[self.rng.randrange(self.batch)] = float("nan")
            yield k, torch.tensor(tokens), torch.tensor(tag), amounts


class TaggingJob:
    def __init__(self, vocab=60, tags=8, lr=3e-3):
        self.model = Tagger(vocab, tags)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.quarantine = []
        self.loss_fn = nn.CrossEntropyLoss()

    def validate(self, amounts, weighted):
        if not torch.isfinite(amounts).all():
            raise BadBatch("%d amounts unreadable" % int((~torch.isfinite(amounts)).sum()))
        return weighted

    def train_page(self, tokens, tag, amounts):
        scores = self.model(tokens)
        loss = self.loss_fn(scores, tag)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        confidence = scores.softmax(-1).amax(-1).detach()
        return self.validate(amounts, confidence * amounts), loss.item()

    def run(self, source, n):
        value = 0.0
        for k, tokens, tag, amounts in source.pages(n):
            try:
                weighted, loss = self.train_page(tokens, tag, amounts)
            except BadBatch as err:
                self.quarantine.append((k, err))  # <- culprit
                continue
            value += weighted.sum().item()
            if k % 40 == 1:
                print(f"page batch {k}: loss {loss:.3f}, value so far {value:.0f}")
        return value

    def list_quarantine(self, limit=3):
        print(len(self.quarantine), "batches put aside")
        for k, err in self.quarantine[:limit]:
            print("  batch", k, "-", err)


if __name__ == "__main__":
    torch.manual_seed(1)
    job = TaggingJob()
    job.run(OcrPages(60, 8, batch=32, seed=3), 180)
    job.list_quarantine()
