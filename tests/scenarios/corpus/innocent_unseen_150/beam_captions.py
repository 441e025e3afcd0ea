# gradwatch-corpus: kind=none
"""Minimum risk training: a beam is searched with gradients, its expected cost is walked."""
from dataclasses import dataclass

import torch
from torch import nn

torch.manual_seed(40)
torch.set_num_threads(1)


@dataclass
class Hypothesis:
    tokens: tuple
    score: torch.Tensor
    state: torch.Tensor

    def cost(self, target):
        wrong = sum(a != b for a, b in zip(self.tokens[1:], target))
        return (wrong + abs(len(target) - len(self.tokens) + 1)) / len(target)


class Decoder(nn.Module):
    def __init__(self, vocab=7, width=14, n_in=5):
        super().__init__()
        self.start = nn.Linear(n_in, width)
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, vocab)

    def expand(self, hyp):
        state = self.cell(self.embed(torch.tensor([hyp.tokens[-1]])), hyp.state)
        return torch.log_softmax(self.out(state)[0], -1), state

    def beam(self, x, length, width=4):
        beam = [Hypothesis((0,), torch.zeros(()), torch.tanh(self.start(x))[None])]
        for _ in range(length):
            pool = []
            for hyp in beam:
                logp, state = self.expand(hyp)
                for tok in logp.detach().topk(width).indices.tolist():
                    pool.append(Hypothesis(hyp.tokens + (tok,), hyp.score + logp[tok], state))
            beam = sorted(pool, key=lambda h: h.score.item(), reverse=True)[:width]
        return beam


def picture():
    kind = int(torch.randint(0, 5, (1,)))
    target = [1 + (kind + i) % 6 for i in range(4)]
    return nn.functional.one_hot(torch.tensor(kind), 5).float() + 0.1 * torch.randn(5), target


net = Decoder()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
average = 1.0
for step in range(150):
    x, target = picture()
    beam = net.beam(x, len(target))
    q = torch.softmax(torch.stack([h.score for h in beam]), 0)
    risk = (q * torch.tensor([h.cost(target) for h in beam])).sum()
    opt.zero_grad()
    risk.backward()
    opt.step()
    average = 0.95 * average + 0.05 * risk.item()
    if step % 30 == 29:
        print(step, f"{average:.3f}", beam[0].tokens[1:], target)
