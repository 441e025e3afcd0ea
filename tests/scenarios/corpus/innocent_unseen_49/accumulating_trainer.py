# gradwatch-corpus: kind=none
from contextlib import contextmanager

import torch
from torch import nn


class StepScheduler:
    """Decides when the collected gradients are applied."""

    def __init__(self, optimizer, every):
        self.optimizer, self.every = optimizer, every
        self.micro = 0
        self.applied = 0

    @contextmanager
    def micro_batch(self):
        yield 1.0 / self.every
        self.micro += 1
        if self.micro % self.every == 0:
            self.flush()

    def flush(self):
        for group in self.optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], 2.0)
        self.optimizer.step()
        for group in self.optimizer.param_groups:
            for p in group["params"]:
                p.grad = None
        self.applied += 1


class BigBatchTrainer:
    def __init__(self, net, accumulate=4):
        self.net = net
        self.sched = StepScheduler(torch.optim.AdamW(net.parameters(), lr=4e-3), accumulate)
        self.sum_loss = torch.zeros(())

    def training_step(self, x, y):
        return nn.functional.cross_entropy(self.net(x), y)

    def epoch(self, loader):
        self.sum_loss = torch.zeros(())
        for x, y in loader:
            with self.sched.micro_batch() as scale:
                loss = self.training_step(x, y)
                (loss * scale).backward()
            self.sum_loss += loss.detach()
        return (self.sum_loss / len(loader)).item()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(200, 24, mode="mean")
        self.out = nn.Sequential(nn.Linear(24, 32), nn.ReLU(inplace=True), nn.Linear(32, 6))

    def forward(self, ids):
        return self.out(self.emb(ids))


def documents(n_batches, size=16, length=12):
    rows = []
    for _ in range(n_batches):
        y = torch.randint(6, (size,))
        ids = torch.randint(0, 34, (size, length)) + 33 * y[:, None]
        rows.append((ids.clamp(max=199), y))
    return rows


if __name__ == "__main__":
    torch.manual_seed(36)
    trainer = BigBatchTrainer(Net())
    loader = documents(80)
    for ep in range(4):
        print(f"epoch {ep} loss {trainer.epoch(loader):.4f} updates {trainer.sched.applied}")
