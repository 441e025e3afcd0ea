# gradwatch-corpus: kind=second-backward
# first-bad: 38
"""Stateful tagger over long recordings cut in chunks; the last chunk of a recording is short."""
import torch
from torch import nn
import torch.nn.functional as F

CHUNK = 10


class Tagger(nn.Module):
    def __init__(self, n_in=6, width=24, tags=3):
        super().__init__()
        self.rnn = nn.GRU(n_in, width, batch_first=True)
        self.out = nn.Linear(width, tags)

    def forward(self, x, state):
        h, state = self.rnn(x, state)
        return self.out(h), state


class Recordings:
    def __init__(self, seed, count):
        self.gen = torch.Generator().manual_seed(seed)
        self.centres = torch.randn(3, 6, generator=self.gen)
        self.lengths = [120, 150, 105, 130] + [100 + 7 * k for k in range(count)]

    def __iter__(self):
        for length in self.lengths:
            tag = torch.randint(3, (4, length // 5 + 1), generator=self.gen).repeat_interleave(5, 1)[:, :length]
            x = self.centres[tag] + 0.8 * torch.randn(4, length, 6, generator=self.gen)
            yield x, tag


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.state = torch.zeros(1, 4, 24)
        self.losses = []

    def chunk(self, x, tag):
        n = x.shape[1]
        if n < CHUNK:
            x = F.pad(x, (0, 0, 0, CHUNK - n))
            logits, state = self.model(x, self.state)
            loss = F.cross_entropy(logits[:, :n].transpose(1, 2), tag)
            self.state = state * 0.5  # <- culprit
        else:
            logits, state = self.model(x, self.state)
            loss = F.cross_entropy(logits.transpose(1, 2), tag)
            self.state = state.detach()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss.item())


def main():
    torch.manual_seed(63)
    trainer = Trainer(Tagger())
    for number, (x, tag) in enumerate(Recordings(64, 40)):
        for start in range(0, x.shape[1], CHUNK):
            trainer.chunk(x[:, start:start + CHUNK], tag[:, start:start + CHUNK])
        mean = sum(trainer.losses[-10:]) / len(trainer.losses[-10:])
        print(f"recording {number} chunks {len(trainer.losses)} loss {mean:.3f}")


if __name__ == "__main__":
    main()
