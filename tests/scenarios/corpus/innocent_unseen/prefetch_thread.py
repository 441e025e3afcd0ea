# gradwatch-corpus: kind=none
import queue
import threading

import torch
from torch import nn


class Prefetcher:
    """Batches from a thread, results to a second thread; only plain numbers cross over."""

    def __init__(self, n, bs):
        self.q = queue.Queue(maxsize=4)
        self.t = threading.Thread(target=self._work, args=(n, bs), daemon=True)
        self.t.start()

    def _work(self, n, bs):
        g = torch.Generator().manual_seed(0)
        for _ in range(n):
            x = torch.randn(bs, 3, 6, 6, generator=g)
            self.q.put((x, x.flatten(1).std(1)))
        self.q.put(None)

    def __iter__(self):
        return iter(self.q.get, None)


def writer(q, rows):
    while (item := q.get()) is not None:
        rows.append(item)


def main():
    torch.manual_seed(0)
    rows, out = [], queue.Queue()
    w = threading.Thread(target=writer, args=(out, rows))
    w.start()
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for i, (x, y) in enumerate(Prefetcher(220, 64)):
        loss = nn.functional.mse_loss(net(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        out.put((i, loss.item()))
    out.put(None)
    w.join()
    print(len(rows), rows[-1])


if __name__ == "__main__":
    main()
