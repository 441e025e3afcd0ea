# gradwatch-corpus: kind=graph-chain
# holder: self.slots | self.memory.slots | agent.memory.slots
# first-bad: 1
"""Turn-by-turn dialogue act prediction; an agent attends over its last few turn states."""
import collections
import math

import torch
from torch import nn
from torch.optim.optimizer import Optimizer, required


class ClassicSGD(Optimizer):
    """SGD in the manner of the older code base this model comes from."""

    def __init__(self, params, lr=required, clip=1.0):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d = p.grad.data
                norm = d.norm()
                if norm > group["clip"]:
                    d = d * (group["clip"] / norm)
                p.data.add_(d, alpha=-group["lr"])


class TurnMemory:
    """The states of the most recent turns, newest last."""

    def __init__(self, size, dim):
        self.dim = dim
        self.slots = collections.deque(maxlen=size)

    def push(self, state):
        self.slots.append(state)  # <- culprit

    def last(self, batch):
        return self.slots[-1] if self.slots else torch.zeros(batch, self.dim)

    def as_tensor(self, batch):
        if not self.slots:
            return torch.zeros(batch, 1, self.dim)
        return torch.stack(tuple(self.slots), dim=1)


class DialogAgent(nn.Module):
    def __init__(self, vocab, dim, acts, turns=5):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.query = nn.Linear(dim, dim, bias=False)
        self.cell = nn.GRUCell(2 * dim, dim)
        self.head = nn.Linear(dim, acts)
        self.memory = TurnMemory(turns, dim)
        self.dim = dim

    def attend(self, utter):
        past = self.memory.as_tensor(utter.size(0))
        score = torch.einsum("bd,btd->bt", self.query(utter), past) / math.sqrt(self.dim)
        return torch.einsum("bt,btd->bd", score.softmax(-1), past)

    def forward(self, tokens):
        utter = self.embed(tokens)
        ctx = self.attend(utter)
        state = self.cell(torch.cat([utter, ctx], dim=-1), self.memory.last(utter.size(0)))
        self.memory.push(state)
        return self.head(state)


def corpus(turns, batch, vocab, acts, words=9):
    g = torch.Generator().manual_seed(21)
    prev = torch.zeros(batch, dtype=torch.long)
    for _ in range(turns):
        tok = torch.randint(vocab, (batch, words), generator=g)
        act = (tok[:, 0] + prev) % acts
        prev = act
        yield tok, act


def main():
    torch.manual_seed(8)
    vocab, acts = 60, 6
    agent = DialogAgent(vocab, 24, acts)
    opt = ClassicSGD(agent.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    hits = 0.0
    for turn, (tok, act) in enumerate(corpus(180, 16, vocab, acts)):
        logits = agent(tok)
        loss = criterion(logits, act)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        hits = 0.95 * hits + 0.05 * (logits.argmax(-1) == act).float().mean().item()
        if turn % 45 == 44:
            print(f"turn {turn + 1}: loss {loss.item():.3f} acc~{hits:.2f}")


if __name__ == "__main__":
    main()
