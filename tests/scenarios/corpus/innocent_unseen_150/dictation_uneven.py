# gradwatch-corpus: kind=none
"""Utterances of uneven length: the optimizer steps when enough frames came together."""
import torch
from torch import nn

torch.manual_seed(16)
torch.set_num_threads(1)


class Utterances:
    def __init__(self, n, seed):
        self.n = n
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.n):
            frames = int(torch.randint(4, 40, (1,), generator=self.gen))
            y = torch.randint(0, 5, (frames,), generator=self.gen)
            x = nn.functional.one_hot(y, 5).float() + 0.6 * torch.randn(frames, 5, generator=self.gen)
            yield x, y


class FrameBudget:
    """Sums the losses (over frames) until the budget is used up."""

    def __init__(self, model, opt, budget):
        self.model, self.opt, self.budget = model, opt, budget
        self.total, self.frames, self.updates = 0.0, 0, 0

    def add(self, loss, frames):
        self.total = self.total + loss
        self.frames += frames
        if self.frames >= self.budget:
            return self.flush()

    def flush(self):
        if not self.frames:
            return None
        mean = self.total / self.frames
        self.opt.zero_grad()
        mean.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.total, self.frames = 0.0, 0
        self.updates += 1
        return mean.item()


class Acoustic(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 12, batch_first=True, bidirectional=True)
        self.out = nn.Linear(24, 5)

    def forward(self, x):
        return self.out(self.rnn(x[None])[0][0])


model = Acoustic()
budget = FrameBudget(model, torch.optim.Adam(model.parameters(), lr=3e-3), budget=90)
for epoch in range(5):
    seen = []
    for x, y in Utterances(110, epoch):
        value = budget.add(nn.functional.cross_entropy(model(x), y, reduction="sum"), len(y))
        if value is not None:
            seen.append(value)
    budget.flush()
    print(epoch, budget.updates, f"{sum(seen) / len(seen):.4f}")
