# gradwatch-corpus: kind=none
"""Ad-click model with late feedback: predictions wait in a ring until the
click label turns up, only then the loss is formed and propagated."""
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce

DELAY = 16
RING = 1 << 5


class Factorised(nn.Module):
    def __init__(self, users, items, rank):
        super().__init__()
        self.u = nn.Embedding(users, rank)
        self.v = nn.Embedding(items, rank)
        self.bias = nn.Parameter(torch.zeros(items))
        nn.init.normal_(self.u.weight, std=0.1)
        nn.init.normal_(self.v.weight, std=0.1)

    def forward(self, users, items):
        return (self.u(users) * self.v(items)).sum(1) + self.bias[items]


class Feedback:
    def __init__(self, users, items):
        self.g = torch.Generator().manual_seed(1001)
        self.taste = torch.randn(users, 3, generator=self.g)
        self.kind = torch.randn(items, 3, generator=self.g)
        self.users, self.items = users, items

    def impressions(self, n):
        return (torch.randint(0, self.users, (n,), generator=self.g),
                torch.randint(0, self.items, (n,), generator=self.g))

    def clicks(self, users, items):
        p = torch.sigmoid((self.taste[users] * self.kind[items]).sum(1))
        return torch.bernoulli(p, generator=self.g)


class Manual:
    """Plain SGD written out by hand."""

    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    @torch.no_grad()
    def step(self):
        for p in self.params:
            if p.grad is not None:
                p.data -= self.lr * p.grad
                p.grad = None


def main(iterations=1000):
    torch.manual_seed(1000)
    model, world = Factorised(60, 40, 6), Feedback(60, 40)
    opt = Manual(model.parameters(), lr=2.0)
    ring = [None] * RING
    due = {}
    accuracy = []
    for t in range(iterations):
        users, items = world.impressions(64)
        logits = model(users, items)
        ring[t & (RING - 1)] = (users, items, logits)
        due[t + DELAY] = t
        if t in due:
            origin = due.pop(t)
            past_users, past_items, past_logits = ring[origin & (RING - 1)]
            label = world.clicks(past_users, past_items)
            loss = bce(past_logits, label)
            loss.backward()
            opt.step()
            accuracy.append(((past_logits > 0).float() == label).float().mean())
        if len(accuracy) == 200:
            print(f"{t + 1} acc {torch.stack(accuracy).mean():.3f} waiting {len(due)}")
            accuracy = []


if __name__ == "__main__":
    main()
