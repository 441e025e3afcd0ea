import queue
import threading

import torch

END = object()


class Loader:
    def __init__(self, n, depth=6):
        self.n = n
        self.q = queue.Queue(maxsize=depth)

    def _work(self):
        gen = torch.Generator().manual_seed(7)
        for _ in range(self.n):
            y = torch.randint(0, 3, (12,), generator=gen)
            x = 0.4 * torch.randn(12, 1, 10, 10, generator=gen)
            for i, k in enumerate(y.tolist()):
                if k == 1:
                    x[i, :, 4] += 1
                elif k == 2:
                    x[i, :, :, 4] += 1
            self.q.put((x, y))
        self.q.put(END)

    def __iter__(self):
        threading.Thread(target=self._work, daemon=True).start()
        while (item := self.q.get()) is not END:
            yield item


class Reporter(threading.Thread):
    def __init__(self, every):
        super().__init__(daemon=True)
        self.q = queue.Queue(maxsize=4)
        self.every = every
        self.lines = []

    def put(self, *item):
        self.q.put(item)

    def run(self):
        loss_sum = hits = n = 0
        while (item := self.q.get()) is not END:
            step, loss, logits, y = item
            loss_sum += loss.item()
            hits += int((logits.argmax(1) == y).sum())
            n += len(y)
            if step % self.every == self.every - 1:
                self.lines.append(f"{step}: loss {loss_sum / self.every:.4f} acc {hits / n:.3f}")
                loss_sum = hits = n = 0

    def close(self):
        self.q.put(END)
        self.join()
