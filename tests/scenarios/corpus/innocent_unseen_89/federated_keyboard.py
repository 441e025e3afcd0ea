# gradwatch-corpus: kind=none
"""Next-character model trained in rounds, one phone per round.

New phones join during the first part of the run; the server keeps the latest outcome of each phone, to pick
with a preference for those on which the model does badly.
"""
import random
from typing import Dict, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

VOCAB, CONTEXT = 20, 4
PHONES = 36
JOIN_EVERY = 4
ROUNDS = 520
LANGUAGE = 2 * torch.randn(VOCAB, VOCAB, generator=torch.Generator().manual_seed(0))


class Outcome(NamedTuple):
    round: int
    loss: Tensor
    entropy: Tensor


class Phone:
    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.g = g
        self.table = LANGUAGE + 0.7 * torch.randn(VOCAB, VOCAB, generator=g)

    def texts(self, n):
        seq = [torch.randint(0, VOCAB, (n,), generator=self.g)]
        for _ in range(CONTEXT):
            p = self.table[seq[-1]].softmax(1)
            seq.append(torch.multinomial(p, 1, generator=self.g).squeeze(1))
        t = torch.stack(seq, 1)
        return t[:, :-1], t[:, -1]


class KeyboardLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 12)
        self.hid = nn.Linear(12 * CONTEXT, 32)
        self.out = nn.Linear(32, VOCAB)

    def forward(self, ctx):
        return self.out(torch.tanh(self.hid(self.emb(ctx).flatten(1))))


class Server:
    def __init__(self, model, rng):
        self.model = model
        self.rng = rng
        self.opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
        self.latest: Dict[int, Outcome] = {}

    def pick(self, joined):
        fresh = [p for p in range(joined) if p not in self.latest]
        if fresh:
            return fresh[0]
        weights = [self.latest[p].loss.item() for p in range(joined)]
        return self.rng.choices(range(joined), weights)[0]

    def round(self, number, who, phone):
        ctx, nxt = phone.texts(24)
        logits = self.model(ctx)
        loss = F.cross_entropy(logits, nxt)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        p = logits.softmax(1)
        self.latest[who] = Outcome(number, loss, -(p * p.log()).sum(1).mean())
        return loss

    def overview(self):
        losses = torch.stack([o.loss for o in self.latest.values()])
        entropy = torch.stack([o.entropy for o in self.latest.values()])
        return losses.mean().item(), losses.max().item(), entropy.mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    phones = [Phone(1000 + i) for i in range(PHONES)]
    server = Server(KeyboardLM(), random.Random(8))
    for r in range(ROUNDS):
        joined = min(PHONES, 1 + r // JOIN_EVERY)
        who = server.pick(joined)
        server.round(r, who, phones[who])
        if (r + 1) % 104 == 0:
            mean, worst, ent = server.overview()
            print(f"round {r + 1}: {joined} phones, loss {mean:.3f} (worst {worst:.3f}), entropy {ent:.3f}")
