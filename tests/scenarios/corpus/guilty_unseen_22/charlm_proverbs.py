# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Character-level GRU on a handful of proverbs. Written for the intro seminar, so everything is spelled out."""
import random

import torch
from torch import nn

TEXT = """
a bird in the hand is worth two in the bush. a stitch in time saves nine.
all that glitters is not gold. actions speak louder than words.
better late than never. do not count your chickens before they hatch.
every cloud has a silver lining. fortune favours the bold.
look before you leap. many hands make light work. practice makes perfect.
the early bird catches the worm. the pen is mightier than the sword.
when in rome do as the romans do. you can not judge a book by its cover.
""".strip().replace("\n", " ")

SEQ = 32
BATCH = 16
EPOCHS = 12
BATCHES_PER_EPOCH = 20

chars = sorted(set(TEXT))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in TEXT])


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=24, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        y, h = self.rnn(self.emb(x), h)
        return self.out(self.drop(y)), h


def batches(rng, count):
    for _ in range(count):
        starts = [rng.randrange(len(data) - SEQ - 1) for _ in range(BATCH)]
        x = torch.stack([data[s:s + SEQ] for s in starts])
        y = torch.stack([data[s + 1:s + SEQ + 1] for s in starts])
        yield x, y


def generate(model, prompt, n=40):
    model.eval()
    out = list(prompt)
    with torch.no_grad():
        x = torch.tensor([[stoi[c] for c in prompt]])
        h = None
        for _ in range(n):
            logits, h = model(x, h)
            nxt = torch.multinomial((logits[0, -1] / 0.7).softmax(-1), 1).item()
            out.append(chars[nxt])
            x = torch.tensor([[nxt]])
    model.train()
    return "".join(out)


def train_epoch(model, optimizer, criterion, rng):
    total, seen = 0.0, 0
    model.train()
    optimizer.zero_grad()  # <- culprit
    for x, y in batches(rng, BATCHES_PER_EPOCH):
        logits, _ = model(x)
        loss = criterion(logits.reshape(-1, len(chars)), y.reshape(-1))
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()  # <- culprit
        total += loss.item() * len(x)
        seen += len(x)
    return total / seen


def main():
    torch.manual_seed(0)
    rng = random.Random(0)
    model = CharGRU(len(chars))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    criterion = nn.CrossEntropyLoss()
    print(f"{len(chars)} symbols, {len(data)} characters")
    for epoch in range(EPOCHS):
        loss = train_epoch(model, optimizer, criterion, rng)
        scheduler.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1}: {loss:.3f}  | {generate(model, 'the ')}")


if __name__ == "__main__":
    main()
