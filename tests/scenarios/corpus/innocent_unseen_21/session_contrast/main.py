# gradwatch-corpus: kind=none
"""Session encoder for the "continue watching" shelf: momentum contrast with a queue of keys, and a
window of recent losses for the on-call dashboard."""
import torch

from encoder import MomentumPair
from kernel import Extension, Kernel
from queues import KeyQueue, RecentWindow
from sessions import SessionFeed


class Dashboard(Extension):
    def __init__(self, every):
        self.window = RecentWindow(size=32)
        self.every = every

    def after_update(self, kernel, report):
        self.window.push(report["loss"].detach())
        if kernel.tick % self.every == 0:
            print(f"{kernel.tick:4d} loss(32) {self.window.mean():.4f} queue {len(kernel.system.queue)}")


class KeyRefresh(Extension):
    """Moves the key encoder and puts the keys of the batch into the queue."""

    def after_update(self, kernel, report):
        kernel.system.pair.follow(0.98)
        kernel.system.queue.enqueue(report["keys"])


class ContrastSystem(torch.nn.Module):
    def __init__(self, n_items, dim, queue_size):
        super().__init__()
        self.pair = MomentumPair(n_items, dim)
        self.queue = KeyQueue(queue_size, dim)

    def update(self, batch):
        view_a, view_b = batch
        query = self.pair.query(view_a)
        with torch.no_grad():
            keys = self.pair.key(view_b)
        positive = (query * keys).sum(-1, keepdim=True)
        logits = torch.cat([positive, query @ self.queue.snapshot().T], 1) / 0.2
        target = torch.zeros(len(query), dtype=torch.long)
        return {"loss": torch.nn.functional.cross_entropy(logits, target), "keys": keys}


def main(ticks=260):
    torch.manual_seed(4)
    system = ContrastSystem(n_items=500, dim=32, queue_size=512)
    optimizer = torch.optim.SGD(system.pair.query.parameters(), lr=0.05, momentum=0.9)
    kernel = Kernel(system, optimizer, [KeyRefresh(), Dashboard(every=52)])
    kernel.run(SessionFeed(n_items=500, length=12, batch=32, seed=6), ticks)


if __name__ == "__main__":
    main()
