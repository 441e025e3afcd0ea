# gradwatch-corpus: kind=none
"""Char LSTM, stateful over the whole text, truncated BPTT."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)

TEXT = ("the quick brown fox jumps over the lazy dog and then the dog sleeps. "
        "a fox is quick and a dog is lazy, but both like the brown field. ") * 40


class CharLSTM(nn.Module):
    def __init__(self, vocab, emb=16, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, vocab)
        self.state = None

    def repackage(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)

    def forward(self, x):
        out, self.state = self.lstm(self.emb(x), self.state)
        return self.fc(out)


def batchify(ids, rows):
    cols = len(ids) // rows
    return torch.tensor(ids[:rows * cols]).reshape(rows, cols)


def windows(data, bptt):
    for i in range(0, data.size(1) - 1, bptt):
        n = min(bptt, data.size(1) - 1 - i)
        yield data[:, i:i + n], data[:, i + 1:i + 1 + n]


def main():
    chars = sorted(set(TEXT))
    lookup = {c: i for i, c in enumerate(chars)}
    data = batchify([lookup[c] for c in TEXT], rows=8)
    model = CharLSTM(len(chars))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    n = 0
    for epoch in range(3):
        model.state = None
        total, count = 0.0, 0
        for x, y in windows(data, bptt=16):
            model.repackage()
            logits = model(x)
            loss = F.cross_entropy(logits.reshape(-1, len(chars)), y.reshape(-1))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * y.numel()
            count += y.numel()
            n += 1
        print(f"epoch {epoch} windows {n} loss {total / count:.3f}")


if __name__ == "__main__":
    main()
