# gradwatch-corpus: kind=graph-chain
# holder: state | self.state
# first-bad: 1
"""Character model with a hand-written SGD."""
import time

import torch
from torch import nn

TEXT = "the cat sat on the mat. the dog sat on the log. a frog sat on a bog. " * 40


class Vocab:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}

    def encode(self, text):
        return torch.tensor([self.stoi[c] for c in text])

    def __len__(self):
        return len(self.chars)


class CharRNN(nn.Module):
    def __init__(self, vocab, emb=8, hid=12):
        super().__init__()
        self.hid = hid
        self.emb = nn.Embedding(vocab, emb)
        self.cell = nn.RNNCell(emb, hid)
        self.dec = nn.Linear(hid, vocab)

    def initial(self, batch):
        return torch.zeros(batch, self.hid)

    def forward(self, ids, state):
        outs = []
        for t in range(ids.size(0)):
            state = self.cell(self.emb(ids[t]), state)
            outs.append(self.dec(state))
        return torch.stack(outs), state


def batchify(ids, cols):
    rows = ids.numel() // cols
    return ids[: rows * cols].view(cols, rows).t().contiguous()


def chunks(data, bptt):
    while True:
        for i in range(0, data.size(0) - bptt - 1, bptt):
            yield data[i:i + bptt], data[i + 1:i + 1 + bptt]


def sgd(model, lr, clip):
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    for p in model.parameters():
        p.data.add_(p.grad, alpha=-lr)


def main():
    torch.manual_seed(1)
    vocab = Vocab(TEXT)
    data = batchify(vocab.encode(TEXT), 4)
    model = CharRNN(len(vocab))
    criterion = nn.CrossEntropyLoss()
    source = chunks(data, 2)
    state = model.initial(4)
    lr, began = 0.5, time.time()
    for it in range(400):
        x, y = next(source)
        model.zero_grad()
        logits, state = model(x, state)  # <- culprit
        loss = criterion(logits.flatten(0, 1), y.flatten())
        loss.backward(retain_graph=True)
        sgd(model, lr, 0.25)
        if it % 40 == 0:
            print(f"{it:4d} loss {loss.item():.3f} {1000 * (time.time() - began) / 40:.1f} ms/batch")
            began = time.time()
        if it == 300:
            lr *= 0.5


if __name__ == "__main__":
    main()
