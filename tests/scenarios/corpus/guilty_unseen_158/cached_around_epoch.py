# gradwatch-corpus: kind=second-backward
# holder: parametrize._cache | _cache
# first-bad: 1
# notice: 0
"""Character model with weight-normalised recurrent cell; the parametrizations are cached for speed."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import weight_norm

torch.set_num_threads(1)
torch.manual_seed(5)

TEXT = "the quick brown fox jumps over the lazy dog while the slow green turtle naps under a tree " * 6
VOCAB = sorted(set(TEXT))
INDEX = {c: i for i, c in enumerate(VOCAB)}


class NormedCell(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = hidden
        self.from_input = weight_norm(nn.Linear(inputs, hidden))
        self.from_state = weight_norm(nn.Linear(hidden, hidden, bias=False))

    def forward(self, x, h):
        return torch.tanh(self.from_input(x) + self.from_state(h))


class CharModel(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Embedding(len(VOCAB), 16)
        self.cell = NormedCell(16, width)
        self.out = nn.Linear(width, len(VOCAB))

    def forward(self, tokens):
        h = tokens.new_zeros((tokens.size(0), self.cell.hidden), dtype=torch.float32)
        logits = []
        for x in self.embed(tokens).unbind(dim=1):
            h = self.cell(x, h)
            logits.append(self.out(h))
        return torch.stack(logits, dim=1)


class Corpus:
    def __init__(self, text, length=12, batch=16):
        self.ids = torch.tensor([INDEX[c] for c in text])
        self.length = length
        self.batch = batch

    def epoch(self):
        last = len(self.ids) - self.length - 1
        order = torch.randperm(last)
        for start in range(0, 10 * self.batch, self.batch):
            rows = [self.ids[i:i + self.length + 1] for i in order[start:start + self.batch]]
            block = torch.stack(rows)
            yield block[:, :-1], block[:, 1:]


def train_epoch(model, opt, corpus):
    total, count = 0.0, 0
    with parametrize.cached():  # <- culprit
        for tokens, target in corpus.epoch():
            logits = model(tokens)
            loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            count += 1
    return total / count


def main():
    model = CharModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    corpus = Corpus(TEXT)
    for epoch in range(8):
        print(f"epoch {epoch} loss {train_epoch(model, opt, corpus):.3f}")


if __name__ == "__main__":
    main()
