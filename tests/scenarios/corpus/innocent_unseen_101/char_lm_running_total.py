# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn

SYLLABLES = ["ka", "lo", "mi", "ren", "tu", "sha", "vi", "por", "en", "da"]
LOG_EVERY = 30
STEPS = 450


def corpus(n_words, seed):
    rng = random.Random(seed)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 3))) for _ in range(60)]
    return " ".join(rng.choices(words, weights=[1 / (i + 1) for i in range(60)], k=n_words))


class CharGRU(nn.Module):
    def __init__(self, n_chars, dim=16, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n_chars, dim)
        self.gru = nn.GRU(dim, hidden)
        self.out = nn.Linear(hidden, n_chars)

    def forward(self, x, h=None):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


def batchify(ids, batch):
    n = len(ids) // batch
    return torch.tensor(ids[: n * batch]).view(batch, n).t().contiguous()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(123)
    text = corpus(4000, seed=9)
    chars = sorted(set(text))
    ids = [chars.index(c) for c in text]
    data = batchify(ids, batch=8)
    seq = 12

    model = CharGRU(len(chars))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.5)

    h = None
    pos = 0
    total_loss = 0.
    total_norm = 0.
    for i in range(1, STEPS + 1):
        if pos + seq + 1 > len(data):
            pos, h = 0, None
        x, y = data[pos:pos + seq], data[pos + 1:pos + seq + 1]
        pos += seq
        if h is not None:
            h = h.detach()
        logits, h = model(x, h)
        loss = criterion(logits.view(-1, len(chars)), y.reshape(-1))
        activity = logits.pow(2).mean()

        optimizer.zero_grad()
        (loss + 1e-4 * activity).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()

        total_loss += loss
        total_norm += activity.sqrt()
        if i % LOG_EVERY == 0:
            print("| step {:4d} | lr {:4.2f} | loss {:5.3f} | logit rms {:5.3f}".format(
                i, optimizer.param_groups[0]["lr"], total_loss.item() / LOG_EVERY, total_norm.item() / LOG_EVERY))
            total_loss = 0.
            total_norm = 0.
        if i % 150 == 0:
            optimizer.param_groups[0]["lr"] /= 2


if __name__ == "__main__":
    main()
