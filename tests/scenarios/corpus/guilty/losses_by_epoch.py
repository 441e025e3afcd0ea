# gradwatch-corpus: kind=graph-held
# holder: LOG[epoch] | LOG | LOG[0] | LOG[1] | LOG[2]
# about: a global dict of lists, keyed by epoch
import torch
from torch import nn

LOG = {}
BATCHES_PER_EPOCH = 20


def log_loss(epoch, loss):
    LOG.setdefault(epoch, []).append(loss)  # <- culprit


def batches(n):
    for _ in range(n):
        x = torch.rand(16, 5)
        yield x, x.prod(dim=1, keepdim=True)


def run_epoch(epoch, model, optimizer):
    for x, y in batches(BATCHES_PER_EPOCH):
        loss = nn.functional.l1_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log_loss(epoch, loss)  # <- culprit


if __name__ == "__main__":
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for epoch in range(3):
        run_epoch(epoch, model, optimizer)
    for epoch, losses in LOG.items():
        print(epoch, sum(x.item() for x in losses) / len(losses))
