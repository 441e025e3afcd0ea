# gradwatch-corpus: kind=memory-climb
# holder: self._scores | task._scores
# first-bad: 1
"""Next-item recommender on synthetic click sequences with an epoch-level recall."""
import argparse

import torch

from task import NextItemTask


class Clicks:
    """Users walk over the catalogue with a favourite stride."""

    def __init__(self, items, context, batch, batches, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.items, self.context, self.batch, self.batches = items, context, batch, batches

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            start = torch.randint(self.items, (self.batch, 1), generator=self.g)
            stride = torch.randint(1, 4, (self.batch, 1), generator=self.g)
            seq = (start + stride * torch.arange(self.context + 1)) % self.items
            yield seq[:, :-1], seq[:, -1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=64)
    args = parser.parse_args()
    torch.manual_seed(40)
    task = NextItemTask()
    clicks = Clicks(task.items, task.context, args.batch, 25, seed=40)
    for epoch in range(args.epochs):
        losses = [task.training_step(h, t) for h, t in clicks]
        task.on_epoch_end(epoch)
        if epoch % 4 == 0:
            print(f"   mean loss {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main()
