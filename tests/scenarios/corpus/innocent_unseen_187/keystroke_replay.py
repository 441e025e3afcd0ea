# gradwatch-corpus: kind=none
import random
from collections import deque, namedtuple

import torch
from torch import nn
import torch.nn.functional as F

Sequence = namedtuple("Sequence", "tokens start final")


class SequenceReplay:
    """Recent typing sequences together with the recurrent state they ended in."""

    def __init__(self, capacity, rng):
        self.items = deque(maxlen=capacity)
        self.rng = rng

    def add(self, sequence):
        self.items.append(sequence)

    def sample(self, n):
        return self.rng.sample(list(self.items), min(n, len(self.items)))

    def state_norm(self):
        return torch.stack([s.final for s in self.items]).norm(dim=-1).mean().item()


class Typist(nn.Module):
    def __init__(self, vocab=12, hidden=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.rec = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(hidden, vocab)
        self.hidden = hidden

    def forward(self, tokens, h):
        outs = []
        for t in range(tokens.shape[1]):
            h = torch.tanh(self.embed(tokens[:, t]) + self.rec(h))
            outs.append(self.out(h))
        return torch.stack(outs, 1), h


def type_text(n, length, gen):
    start = torch.randint(0, 12, (n, 1), generator=gen)
    stride = torch.randint(1, 4, (n, 1), generator=gen)
    return (start + stride * torch.arange(length + 1)) % 12


def main():
    torch.manual_seed(44)
    gen, rng = torch.Generator().manual_seed(44), random.Random(44)
    model = Typist()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    replay = SequenceReplay(48, rng)
    for step in range(430):
        fresh = type_text(4, 5, gen)
        tokens, starts = [fresh], [torch.zeros(4, model.hidden)]
        replayed = replay.sample(4)
        if replayed:
            tokens.append(torch.stack([s.tokens for s in replayed]))
            starts.append(torch.stack([s.start for s in replayed]))
        tokens, starts = torch.cat(tokens), torch.cat(starts)
        logits, final = model(tokens[:, :-1], starts)
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        for row in range(4):
            carried = final[row].detach() if row % 2 else starts[row]
            replay.add(Sequence(tokens[row], carried, final[row]))
        if step % 86 == 0:
            print(f"step {step} loss {loss.item():.4f} stored {len(replay.items)} norm {replay.state_norm():.3f}")


if __name__ == "__main__":
    main()
