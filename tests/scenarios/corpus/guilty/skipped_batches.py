# gradwatch-corpus: kind=graph-held
# holder: failures | self.failures | errors
# first-bad: 3
# notice: 24
# about: errors of skipped batches are kept for a report; their tracebacks hold the frames
import torch
from torch import nn


class BadBatch(ValueError):
    pass


def check(loss, batch_index):
    if loss.item() > 5:
        raise BadBatch(f"batch {batch_index}: loss {loss.item():.1f} looks wrong")


def train_batch(model, optimizer, x, y, batch_index):
    hidden = model[0](x)
    out = model[1:](hidden)
    loss = nn.functional.mse_loss(out, y)
    check(loss, batch_index)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    failures = []
    for i in range(90):
        x = torch.randn(16, 9)
        y = torch.randn(16, 1) * (20 if i % 3 == 2 else 1)  # corrupt labels now and then
        try:
            train_batch(model, optimizer, x, y, i)
        except BadBatch as error:
            failures.append(error)  # <- culprit
    print(f"{len(failures)} batches skipped, first: {failures[0]}")


if __name__ == "__main__":
    main()
