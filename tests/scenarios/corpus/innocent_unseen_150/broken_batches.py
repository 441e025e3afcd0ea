# gradwatch-corpus: kind=none
"""Reads from a flaky sequencer; failed batches are kept with their exception until they are tried again."""
import torch
from torch import nn

torch.manual_seed(29)
torch.set_num_threads(1)


class QualityError(ValueError):
    def __init__(self, message, batch):
        super().__init__(message)
        self.batch = batch


class BaseCaller(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(4, 12, 3, padding=1), nn.ReLU(), nn.Conv1d(12, 4, 1))

    def forward(self, x):
        return self.net(x)


def reads(n):
    for i in range(n):
        y = torch.randint(0, 4, (12, 20))
        x = nn.functional.one_hot(y, 4).float().transpose(1, 2)
        noise = 2.5 if i % 6 == 4 else 0.5
        yield x + noise * torch.randn_like(x), y


def checked_loss(model, x, y, limit):
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    if loss.item() > limit:
        raise QualityError(f"loss {loss.item():.2f} over {limit:.2f}", (x, y))
    return loss


def update(opt, loss):
    opt.zero_grad()
    loss.backward()
    opt.step()


def epoch(model, opt, n, limit):
    failed = []
    for x, y in reads(n):
        try:
            update(opt, checked_loss(model, x, y, limit))
        except QualityError as err:
            failed.append(err)
    retried = 0
    for err in failed:
        x, y = err.batch
        update(opt, 0.3 * checked_loss(model, x, y, float("inf")))
        retried += 1
    failed.clear()
    return retried


model = BaseCaller()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
limit = 2.0
for e in range(5):
    print(e, "retried", epoch(model, opt, 36, limit), f"limit {limit:.2f}")
    limit = max(0.9, limit * 0.8)
