# gradwatch-corpus: kind=none
# about: a curriculum of ever longer sequences, unrolled cell by cell: the graph of the last
# about: iteration is ten times that of the first, but none reaches into the one before
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Accumulator(nn.Module):
    """Adds up marked numbers of a sequence."""

    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.head = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, seq):
        h = seq.new_zeros(seq.size(1), self.hidden)
        for x in seq:
            h = self.cell(x, h)
        return self.head(h).squeeze(-1)


def sample(length, batch=16):
    values = torch.rand(length, batch)
    marks = torch.zeros(length, batch)
    for b in range(batch):
        marks[torch.randperm(length)[:2], b] = 1.0
    return torch.stack([values, marks], dim=-1), (values * marks).sum(0)


def length_at(step):
    return 4 + int(36 * step / ITERATIONS)


def train():
    model = Accumulator()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS):
        seq, target = sample(length_at(step))
        loss = nn.functional.mse_loss(model(seq), target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step} length {len(seq)} loss {loss.item():.6f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
