# gradwatch-corpus: kind=second-backward
# holder: self._encoded | self._encoded[domain] | glossary._encoded | glossary._encoded[domain] | self.glossary._encoded | self.glossary._encoded[domain] | model.glossary._encoded | memory
# also: graph-held
# first-bad: 9
"""Terminology-aware translation for the localisation team: the decoder may look at an encoded glossary of the
job's domain. Jobs come in turn from nine domains."""
import itertools
import math
from typing import Dict, Iterator, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

DOMAINS = ("legal", "medical", "games", "travel", "finance", "hr", "retail", "energy", "space")
VOCAB = 80


class Job(NamedTuple):
    domain: str
    src: torch.Tensor
    tgt: torch.Tensor


class GlossaryStore:
    """Term pairs per domain; terms are short token sequences."""

    def __init__(self, terms_per_domain=20, term_len=3, seed=61):
        g = torch.Generator().manual_seed(seed)
        self.terms = {d: torch.randint(1, VOCAB, (terms_per_domain, term_len), generator=g) for d in DOMAINS}
        self.maps = {d: torch.randperm(VOCAB, generator=g) for d in DOMAINS}

    def __getitem__(self, domain):
        return self.terms[domain]


def jobs(store: GlossaryStore, batch: int, length: int, seed: int) -> Iterator[Job]:
    g = torch.Generator().manual_seed(seed)
    for domain in itertools.cycle(DOMAINS):
        src = torch.randint(1, VOCAB, (batch, length), generator=g)
        yield Job(domain, src, store.maps[domain][src])


class GlossaryEncoder(nn.Module):
    def __init__(self, store: GlossaryStore, dim: int):
        super().__init__()
        self.store = store
        self.emb = nn.Embedding(VOCAB, dim)
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))
        self._encoded: Dict[str, torch.Tensor] = {}

    def encode(self, domain: str) -> torch.Tensor:
        return self.mix(self.emb(self.store[domain]).mean(dim=1))

    def forward(self, domain: str) -> torch.Tensor:
        memory = self._encoded.get(domain)
        if memory is None:
            memory = self._encoded[domain] = self.encode(domain)  # <- culprit
        return memory


class Translator(nn.Module):
    def __init__(self, store: GlossaryStore, dim=40):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.body = nn.GRU(dim, dim, batch_first=True)
        self.query = nn.Linear(dim, dim)
        self.glossary = GlossaryEncoder(store, dim)
        self.out = nn.Linear(2 * dim, VOCAB)

    def forward(self, job: Job) -> torch.Tensor:
        h, _ = self.body(self.emb(job.src))
        memory = self.glossary(job.domain)
        att = (self.query(h) @ memory.t() / math.sqrt(memory.shape[-1])).softmax(-1)
        return self.out(torch.cat([h, att @ memory], dim=-1))


class LabelSmoothing(nn.Module):
    def __init__(self, eps=0.1):
        super().__init__()
        self.eps = eps

    def forward(self, logits, target):
        return F.cross_entropy(logits.flatten(0, 1), target.flatten(), label_smoothing=self.eps)


def inverse_sqrt(warmup):
    return lambda s: min((s + 1) / warmup, math.sqrt(warmup / (s + 1)))


def main(steps=300):
    torch.manual_seed(62)
    store = GlossaryStore()
    model = Translator(store)
    criterion = LabelSmoothing()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, inverse_sqrt(40))
    for step, job in enumerate(itertools.islice(jobs(store, 12, 10, seed=63), steps)):
        loss = criterion(model(job), job.tgt)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 3 == 0:
            print(f"{step:4d} [{job.domain:8s}] loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
