# gradwatch-corpus: kind=graph-held
# holder: total_loss
# first-bad: 1
# notice: 8
"""LSTM char LM on synthetic 'song lyrics'."""
import math
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(7)
random.seed(7)

WORDS = ["love", "night", "rain", "baby", "fire", "dance", "home", "blue", "heart", "road"]


def make_corpus(n_lines=900):
    lines = []
    for _ in range(n_lines):
        k = random.randint(3, 6)
        lines.append(" ".join(random.choice(WORDS) for _ in range(k)))
    return "\n".join(lines)


class CharLSTM(nn.Module):
    def __init__(self, vocab, emb=12, hid=32, layers=1):
        super().__init__()
        self.vocab = vocab
        self.encoder = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hid, layers, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.decoder = nn.Linear(hid, vocab)

    def forward(self, x, state=None):
        h = self.drop(self.encoder(x))
        h, state = self.lstm(h, state)
        return self.decoder(self.drop(h)), state


def batchify(ids, bsz):
    n = ids.numel() // bsz
    return ids[: n * bsz].view(bsz, n)


def get_batch(source, i, bptt):
    seq = min(bptt, source.size(1) - 1 - i)
    return source[:, i:i + seq], source[:, i + 1:i + 1 + seq]


def train(model, data, optimizer, criterion, epochs=2, bptt=12, log_every=50):
    model.train()
    total_loss = 0.0
    seen = 0
    for epoch in range(epochs):
        for b, i in enumerate(range(0, data.size(1) - 1, bptt)):
            x, y = get_batch(data, i, bptt)
            optimizer.zero_grad()
            logits, _ = model(x)
            loss = criterion(logits.reshape(-1, model.vocab), y.reshape(-1))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()

            total_loss += loss * x.size(1)  # <- culprit
            seen += x.size(1)
            if b % log_every == 0 and b > 0:
                cur = total_loss.item() / seen
                print("epoch %d | batch %4d | loss %5.2f | ppl %8.2f" % (epoch, b, cur, math.exp(cur)))
    return total_loss / seen


def main():
    text = make_corpus()
    chars = sorted(set(text))
    stoi = {c: i for i, c in enumerate(chars)}
    ids = torch.tensor([stoi[c] for c in text])
    data = batchify(ids, 8)
    model = CharLSTM(len(chars))
    optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
    avg = train(model, data, optimizer, nn.CrossEntropyLoss())
    print("final average loss", float(avg))


if __name__ == "__main__":
    main()
