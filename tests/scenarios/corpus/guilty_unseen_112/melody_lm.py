# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 8
"""Note-level LSTM over endless generated melodies, with state carried across chunks.

The corpus is a walk over scale degrees with a motif that comes back every bar, which gives
the recurrent state something worth carrying.
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Opts:
    streams: int = 8
    chunk: int = 16
    vocab: int = 15
    width: int = 40
    steps: int = 260
    lr: float = 4e-3
    clip: float = 1.0


def compose(length, vocab, gen):
    """One melody: an 8-note motif, varied a little at each return."""
    motif = torch.randint(vocab, (8,), generator=gen)
    notes = []
    while len(notes) < length:
        bar = motif.clone()
        where = torch.randint(8, (1,), generator=gen)
        bar[where] = torch.randint(vocab, (1,), generator=gen)
        if torch.rand(1, generator=gen) < 0.1:
            motif = (motif + torch.randint(-2, 3, (8,), generator=gen)) % vocab
        notes.extend(bar.tolist())
    return torch.tensor(notes[:length])


class Melody(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.note = nn.Embedding(o.vocab, o.width)
        self.lstm = nn.LSTM(o.width, o.width, batch_first=True)
        self.next = nn.Linear(o.width, o.vocab)
        self.o = o

    def blank(self, n):
        z = torch.zeros(1, n, self.o.width)
        return z, z.clone()

    def forward(self, x, state):
        h, state = self.lstm(self.note(x), state)
        return self.next(h), state


def repackage(state):
    return tuple(s.detach() for s in state)


def learn(o):
    gen = torch.Generator().manual_seed(77)
    torch.manual_seed(77)
    tape = torch.stack([compose(o.chunk * o.steps + 1, o.vocab, gen) for _ in range(o.streams)])
    net = Melody(o)
    opt = torch.optim.Adam(net.parameters(), lr=o.lr)
    ce = nn.CrossEntropyLoss()
    state = net.blank(o.streams)
    curve = []
    for k in range(o.steps):
        a = k * o.chunk
        x, y = tape[:, a:a + o.chunk], tape[:, a + 1:a + o.chunk + 1]
        state = repackage(state)
        logits, state = net(x, state)
        loss = ce(logits.reshape(-1, o.vocab), y.reshape(-1))
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(net.parameters(), o.clip)
        opt.step()
        curve.append(loss.item())
        if (k + 1) % 52 == 0:
            print(f"{k + 1:4d}: nll {sum(curve[-52:]) / 52:.3f}")
    return net


@torch.no_grad()
def improvise(net, n=24):
    note = torch.zeros(1, 1, dtype=torch.long)
    state, out = net.blank(1), []
    for _ in range(n):
        logits, state = net(note, state)
        note = torch.multinomial(logits[:, -1].softmax(-1), 1)
        out.append(note.item())
    return out


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(improvise(learn(Opts())))
