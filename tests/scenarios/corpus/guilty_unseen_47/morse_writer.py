# gradwatch-corpus: kind=graph-chain
# holder: hidden | self.hidden | writer.hidden
# first-bad: 1
"""Elman network that learns to write Morse code, plain hand-made SGD."""
import random

import torch
import torch.nn as nn

CODE = {"a": ".-", "b": "-...", "d": "-..", "e": ".", "i": "..", "n": "-.",
        "o": "---", "r": ".-.", "s": "...", "t": "-"}
SYMBOLS = ".- /"


def message(words, rng):
    out = []
    for _ in range(words):
        word = rng.choices(list(CODE), k=rng.randint(2, 5))
        out.append(" ".join(CODE[c] for c in word))
    return "/".join(out)


def encode(text):
    return torch.tensor([SYMBOLS.index(c) for c in text])


class Elman(nn.Module):
    def __init__(self, hidden_size=20):
        super().__init__()
        self.i2h = nn.Linear(len(SYMBOLS) + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, len(SYMBOLS))
        self.hidden_size = hidden_size

    def forward(self, symbol, hidden):
        one_hot = torch.zeros(1, len(SYMBOLS))
        one_hot[0, symbol] = 1.0
        hidden = torch.tanh(self.i2h(torch.cat([one_hot, hidden], 1)))
        return self.h2o(hidden), hidden


class MorseWriter:
    def __init__(self, lr=0.05, span=6):
        self.rnn = Elman()
        self.criterion = nn.CrossEntropyLoss()
        self.lr, self.span = lr, span
        self.hidden = torch.zeros(1, self.rnn.hidden_size)

    def train_span(self, piece):
        hidden = self.hidden  # <- culprit
        loss = 0.0
        for now, nxt in zip(piece[:-1], piece[1:]):
            out, hidden = self.rnn(now, hidden)
            loss = loss + self.criterion(out, nxt.unsqueeze(0))
        loss = loss / (len(piece) - 1)

        self.rnn.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        for p in self.rnn.parameters():
            p.data.add_(p.grad.data, alpha=-self.lr)
        self.hidden = hidden  # <- culprit
        return loss.item()

    def fit(self, tape, spans):
        avg = None
        for k in range(spans):
            start = k * self.span
            value = self.train_span(tape[start:start + self.span + 1])
            avg = value if avg is None else 0.95 * avg + 0.05 * value
            if k % 15 == 0:
                print(f"span {k:3d}  loss {avg:.4f}")

    @torch.no_grad()
    def sample(self, n=30):
        symbol, hidden, text = 0, torch.zeros(1, self.rnn.hidden_size), ""
        for _ in range(n):
            out, hidden = self.rnn(symbol, hidden)
            symbol = torch.multinomial(out[0].softmax(0), 1).item()
            text += SYMBOLS[symbol]
        return text


def main():
    torch.manual_seed(6)
    rng = random.Random(6)
    tape = encode(message(60, rng))
    spans = 80
    writer = MorseWriter()
    assert len(tape) > spans * writer.span + 1
    writer.fit(tape, spans)
    print("sample:", writer.sample())


if __name__ == "__main__":
    main()
