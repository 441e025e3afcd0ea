# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import math

import torch
from torch import nn
import torch.nn.functional as F

TEXT = (
    "the boat went down the river and the river went down to the sea. "
    "the sea was grey and the boat was small, and nobody on the shore was looking. "
) * 4


class Vocab:
    def __init__(self, text):
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def encode(self, text):
        return torch.tensor([self.stoi[c] for c in text])

    def __len__(self):
        return len(self.itos)


class StreamingCharModel(nn.Module):
    def __init__(self, n_chars, emb=12, hidden=20):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb)
        self.cell = nn.RNNCell(emb, hidden)
        self.proj = nn.Linear(hidden, n_chars)
        self.hidden_size = hidden

    def begin(self, batch):
        return torch.zeros(batch, self.hidden_size)

    def forward(self, chars, hidden):
        hidden = self.cell(self.emb(chars), hidden)
        return self.proj(hidden), hidden


class PlainSGD:
    def __init__(self, params, lr, clip=1.0):
        self.params = list(params)
        self.lr = lr
        self.clip = clip

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        nn.utils.clip_grad_norm_(self.params, self.clip)
        for p in self.params:
            p.data.add_(p.grad, alpha=-self.lr)


def streams(ids, batch):
    length = ids.numel() // batch
    return ids[: length * batch].view(batch, length).t()


def train(iters=420, batch=8, lr=0.2):
    torch.manual_seed(6)
    vocab = Vocab(TEXT)
    data = streams(vocab.encode(TEXT), batch)
    model = StreamingCharModel(len(vocab))
    opt = PlainSGD(model.parameters(), lr)
    hidden = model.begin(batch)
    smooth = math.log(len(vocab))
    for it in range(iters):
        pos = it % (data.size(0) - 1)
        logits, hidden = model(data[pos], hidden)  # <- culprit
        loss = F.cross_entropy(logits, data[pos + 1])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        smooth = 0.98 * smooth + 0.02 * loss.item()
        if it % 70 == 0:
            print(f"iter {it} nll {smooth:.3f} ppl {math.exp(smooth):.2f}")


if __name__ == "__main__":
    train()
