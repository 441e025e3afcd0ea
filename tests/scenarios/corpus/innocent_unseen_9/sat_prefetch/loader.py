import queue
import threading

import torch


class TileSource:
    def __init__(self, classes, side, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.base = torch.randn(classes, 4, 8, 8, generator=self.g)
        self.side, self.classes = side, classes
        self.windows = {}

    def window(self, k):
        """Sun-angle window number k; each is made once."""
        if k not in self.windows:
            lin = torch.linspace(-1, 1, self.side)
            a = torch.tensor(k * 0.05)
            self.windows[k] = (1 + 0.3 * (lin[None] * a.cos() + lin[:, None] * a.sin())).expand(4, -1, -1).clone()
        return self.windows[k]

    def make(self, n):
        y = torch.randint(0, self.classes, (n,), generator=self.g)
        x = torch.nn.functional.interpolate(self.base[y], size=self.side)
        ks = torch.randint(0, 80, (n,), generator=self.g).tolist()
        light = torch.stack([self.window(k) for k in ks])
        return x * light + 1.5 * torch.randn(x.shape, generator=self.g), y

    def holdout(self, n):
        return self.make(n)


class Prefetcher:
    def __init__(self, source, batch, depth):
        self.q = queue.Queue(maxsize=depth)
        self.stop = threading.Event()
        self.th = threading.Thread(target=self._work, args=(source, batch), daemon=True)
        self.th.start()

    def _work(self, source, batch):
        while not self.stop.is_set():
            item = source.make(batch)
            while not self.stop.is_set():
                try:
                    self.q.put(item, timeout=0.2)
                    break
                except queue.Full:
                    pass

    def __iter__(self):
        while True:
            yield self.q.get()

    def close(self):
        self.stop.set()
        self.th.join()
