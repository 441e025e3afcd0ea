# gradwatch-corpus: kind=second-backward
# holder: self._states | encoder._states | self.encoder._states | model.encoder._states | self._key
# first-bad: 37
"""Seq2seq with attention on a synthetic phrase book. Every source bucket has two reference
translations; the second reference comes in after three passes."""
import random

import torch
import torch.nn.functional as F
from torch import nn

SRC, TGT, LEN, BUCKETS = 40, 44, 7, 12


class PhraseBook:
    def __init__(self, seed):
        gen = torch.Generator().manual_seed(seed)
        lexicon = torch.randperm(TGT - 2, generator=gen)[:SRC] + 2
        self.sources = [torch.randint(SRC, (10, LEN), generator=gen) for _ in range(BUCKETS)]
        self.references = [(lexicon[s % 40], lexicon[s.flip(1) % 40]) for s in self.sources]

    def schedule(self, updates, single, seed):
        """(bucket, reference) pairs: one reference at first, later both in turn."""
        rng = random.Random(seed)
        done = 0
        while done < updates:
            for bucket in rng.sample(range(BUCKETS), BUCKETS):
                for ref in range(1 if done < single else 2):
                    yield bucket, ref
                    done += 1


class Encoder(nn.Module):
    """Bidirectional source reader. The last bucket's states are kept, since the same source is
    commonly asked for several times running (references, then beam search)."""

    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(SRC, width)
        self.rnn = nn.GRU(width, width // 2, bidirectional=True, batch_first=True)
        self._key = None
        self._states = None

    def forward(self, tokens, key=None):
        if key is not None and key == self._key:
            return self._states
        states, _ = self.rnn(self.embed(tokens))
        self._key, self._states = key, states  # <- culprit
        return states


class Decoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(TGT + 2, width)
        self.cell = nn.GRUCell(2 * width, width)
        self.out = nn.Linear(2 * width, TGT)

    def forward(self, states, prefix, ref):
        h = states.mean(1)
        tag = torch.full_like(prefix[:, :1], TGT + ref)
        inputs = self.embed(torch.cat([tag, prefix[:, :-1]], 1))
        logits = []
        for t in range(prefix.shape[1]):
            attn = torch.softmax((states @ h[:, :, None]).squeeze(-1), -1)
            context = (attn[:, None] @ states).squeeze(1)
            h = self.cell(torch.cat([inputs[:, t], context], -1), h)
            logits.append(self.out(torch.cat([h, context], -1)))
        return torch.stack(logits, 1)


class Translator(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.encoder = Encoder(width)
        self.decoder = Decoder(width)

    def forward(self, source, target, ref, key):
        return self.decoder(self.encoder(source, key), target, ref)


def train(model, book, updates=240, single=36):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    mean = None
    for update, (bucket, ref) in enumerate(book.schedule(updates, single, seed=6)):
        target = book.references[bucket][ref]
        logits = model(book.sources[bucket], target, ref, key=bucket)
        loss = F.cross_entropy(logits.flatten(0, 1), target.flatten(), label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        mean = loss.item() if mean is None else 0.9 * mean + 0.1 * loss.item()
        if update % 20 == 0:
            print(f"update {update:3d}  bucket {bucket:2d}  ref {ref}  loss {mean:.3f}", flush=True)


if __name__ == "__main__":
    torch.manual_seed(5)
    torch.set_num_threads(1)
    train(Translator(), PhraseBook(seed=5))
