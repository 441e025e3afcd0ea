# gradwatch-corpus: kind=graph-held
# holder: self.stats | bar.stats | self.stats[key] | bar.stats["loss"] | self.stats["loss"]
# first-bad: 1
"""Generates made-up village names letter by letter with a small GRU, my
version of the name generator exercise from the second week of the course."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from utils import Progress, Vocab, make_names

SEED = 7
BATCH = 24
HIDDEN = 48
STEPS = 400


class NameModel(nn.Module):
    def __init__(self, n_chars, emb=16, hidden=HIDDEN):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb, padding_idx=0)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_chars)

    def forward(self, x, h=None):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


def collate(names, vocab):
    longest = max(len(n) for n in names) + 2
    x = torch.zeros(len(names), longest, dtype=torch.long)
    for row, name in enumerate(names):
        ids = [vocab.bos] + vocab.encode(name) + [vocab.eos]
        x[row, :len(ids)] = torch.tensor(ids)
    return x[:, :-1], x[:, 1:]


def batches(names, vocab, n):
    for _ in range(n):
        yield collate(random.sample(names, BATCH), vocab)


def masked_loss(logits, target):
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def soft_accuracy(logits, target):
    """mean probability that the model gives to the right letter"""
    p = F.softmax(logits, dim=-1).gather(2, target.unsqueeze(2)).squeeze(2)
    mask = (target != 0).float()
    return (p * mask).sum() / mask.sum()


@torch.no_grad()
def sample(model, vocab, temperature=0.8, max_len=12):
    model.eval()
    x, h, out = torch.tensor([[vocab.bos]]), None, []
    for _ in range(max_len):
        logits, h = model(x, h)
        p = F.softmax(logits[0, -1] / temperature, dim=-1)
        i = torch.multinomial(p, 1).item()
        if i in (vocab.eos, 0):
            break
        out.append(i)
        x = torch.tensor([[i]])
    model.train()
    return vocab.decode(out)


def main():
    random.seed(SEED)
    torch.manual_seed(SEED)
    names = make_names(300)
    vocab = Vocab(names)
    model = NameModel(len(vocab))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)

    bar = Progress(STEPS, every=80)
    for x, y in batches(names, vocab, STEPS):
        logits, _ = model(x)
        loss = masked_loss(logits, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        bar.update(loss=loss, acc=soft_accuracy(logits.detach(), y))  # <- culprit
    print("some villages:", ", ".join(sample(model, vocab) for _ in range(5)))


if __name__ == "__main__":
    main()
