# gradwatch-corpus: kind=none
"""Character model that writes its per-token surprisal as JSON lines; text is gathered and flushed to a spool file."""
import json
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = ("the quick brown fox jumps over the lazy dog while seven wizards mix "
        "very bright jade potions and a judge quietly vexes the king of bavaria ") * 40


class Spool:
    limit = 3_000_000

    def __init__(self, file):
        self.file = file
        self.text = ""
        self.flushes = 0
        self.written = 0

    def add(self, record):
        self.text += json.dumps(record) + "\n"
        if len(self.text) > self.limit:
            self.flush()

    def flush(self):
        self.file.write(self.text)
        self.written += len(self.text)
        self.text = ""
        self.flushes += 1


class CharModel(nn.Module):
    def __init__(self, vocab, dim=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.out(h)


class Windows:
    def __init__(self, text, length=64, size=96):
        self.chars = sorted(set(text))
        table = {c: i for i, c in enumerate(self.chars)}
        self.ids = torch.tensor([table[c] for c in text])
        self.length = length
        self.size = size

    def batch(self):
        at = torch.randint(0, len(self.ids) - self.length - 1, (self.size,))
        rows = torch.stack([self.ids[a:a + self.length + 1] for a in at.tolist()])
        return rows[:, :-1], rows[:, 1:]


def main():
    torch.manual_seed(5)
    torch.set_num_threads(1)
    data = Windows(TEXT)
    model = CharModel(len(data.chars))
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    with tempfile.TemporaryFile("w+") as file:
        spool = Spool(file)
        for step in range(110):
            x, y = data.batch()
            logits = model(x)
            token = F.cross_entropy(logits.transpose(1, 2), y, reduction="none")
            loss = token.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            spool.add({"step": step, "surprisal": token.tolist()})
            if step % 20 == 0:
                print(f"{step:4d} {loss.item():.3f} spooled {spool.written}")
        spool.flush()
        print("flushes", spool.flushes, "chars", spool.written)


if __name__ == "__main__":
    main()
