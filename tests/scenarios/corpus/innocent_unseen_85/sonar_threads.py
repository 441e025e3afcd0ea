# gradwatch-corpus: kind=none
"""Sonar echo classification with the front end in a worker thread.

The worker runs the front end for the micro-batches of a step, the main thread the
head; a third thread keeps a moving report of the losses.
"""
import queue
import threading

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(303)

STEPS, MICRO, BATCH, LEN = 400, 3, 12, 48
STOP = object()


def pings(n, gen):
    y = torch.randint(0, 3, (n,), generator=gen)
    t = torch.arange(LEN).float()
    delay = torch.rand(n, 1, generator=gen) * 20 + 5
    f = torch.tensor([0.4, 0.7, 1.1])[y].unsqueeze(1)
    x = torch.sin(f * (t - delay)) * torch.exp(-((t - delay) / 6) ** 2)
    return (x + 0.3 * torch.randn(n, LEN, generator=gen)).unsqueeze(1), y


class FrontEnd(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 7, stride=2)
        self.norm = nn.GroupNorm(2, 8)

    def forward(self, x):
        return F.silu(self.norm(self.conv(x))).flatten(1)


class Worker(threading.Thread):
    def __init__(self, front, orders, ready):
        super().__init__(daemon=True)
        self.front, self.orders, self.ready = front, orders, ready
        self.gen = torch.Generator().manual_seed(1)

    def run(self):
        while (order := self.orders.get()) is not STOP:
            for _ in range(order):
                x, y = pings(BATCH, self.gen)
                self.ready.put((self.front(x), y))


class Reporter(threading.Thread):
    def __init__(self, inbox, keep=20):
        super().__init__(daemon=True)
        self.inbox, self.keep = inbox, keep
        self.recent = []
        self.mean = None
        self.means = []

    def run(self):
        n = 0
        while (item := self.inbox.get()) is not STOP:
            self.recent.append(item)
            if len(self.recent) > self.keep:
                self.recent.pop(0)
            n += 1
            if n % 10 == 0:
                self.mean = torch.stack(self.recent).mean()
                self.means.append(self.mean.detach())


def main():
    front = FrontEnd()
    head = nn.Sequential(nn.Linear(8 * 21, 24), nn.ReLU(), nn.Linear(24, 3))
    opt = torch.optim.AdamW([*front.parameters(), *head.parameters()], lr=2e-3)
    orders, ready = queue.Queue(), queue.Queue(maxsize=MICRO)
    inbox = queue.Queue(maxsize=8)
    worker, reporter = Worker(front, orders, ready), Reporter(inbox)
    worker.start()
    reporter.start()
    for step in range(STEPS):
        orders.put(MICRO)
        opt.zero_grad()
        for _ in range(MICRO):
            feat, y = ready.get()
            loss = F.cross_entropy(head(feat), y)
            (loss / MICRO).backward()
            inbox.put(loss)
        opt.step()
        if step % 100 == 99:
            print(f"step {step + 1} loss {loss.item():.4f}")
    orders.put(STOP)
    inbox.put(STOP)
    worker.join()
    reporter.join()
    print("moving mean first/last:", reporter.means[0].item(), reporter.mean.item())


if __name__ == "__main__":
    main()
