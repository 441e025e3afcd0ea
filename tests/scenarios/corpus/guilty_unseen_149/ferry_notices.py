# gradwatch-corpus: kind=graph-held
# holder: table | embed.table | remembered.table
# first-bad: 1
# notice: 8
"""Match ferry service notices with their translations (contrastive, bag of words)."""
import functools

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

VOCAB, NOTICES = 300, 60


def remember(fn):
    table = {}

    @functools.wraps(fn)
    def remembered(model, number, side, clock):
        key = (number, side, clock)
        if key not in table:
            table[key] = fn(model, number, side, clock)  # <- culprit
        return table[key]

    remembered.table = table
    return remembered


class Corpus:
    def __init__(self):
        topic = torch.randint(0, VOCAB // 2, (NOTICES, 8))
        self.words = {"home": topic, "away": (topic * 2 + torch.randint(0, 2, topic.shape)) % VOCAB}


class Encoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.table = nn.EmbeddingBag(VOCAB, width)
        self.out = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 16))

    def forward(self, ids):
        return F.normalize(self.out(self.table(ids)), dim=-1)


corpus = Corpus()


@remember
def embed(model, number, side, clock):
    return model(corpus.words[side][number][None])[0]  # <- culprit


def pair_loss(model, picks, clock):
    home = torch.stack([embed(model, int(n), "home", clock) for n in picks])
    away = torch.stack([embed(model, int(n), "away", clock) for n in picks])
    hits = home @ away.T / 0.1
    labels = torch.arange(len(picks))
    same = F.cross_entropy(hits, labels) + F.cross_entropy(hits.T, labels)
    spread = torch.stack([embed(model, int(n), "home", clock) for n in picks[:4]]).std(0).mean()
    return same - 0.1 * spread, (hits.argmax(1) == labels).float().mean().item()


def main():
    model = Encoder()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for clock in range(80):
        picks = torch.randperm(NOTICES)[:8]
        loss, acc = pair_loss(model, picks, clock)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if clock % 20 == 19:
            print(f"step {clock + 1}: loss {loss.item():.3f}, matched {acc:.0%}")


main()
