# gradwatch-corpus: kind=none
"""Bird calls from a loader thread with a bounded queue; side scores run as futures."""
import queue
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import nn

torch.manual_seed(61)
torch.set_num_threads(1)

SAMPLES, BATCH, STEPS, SPECIES = 400, 200, 160, 6


class Prefetcher:
    def __init__(self, produce, count, depth=12):
        self.queue = queue.Queue(maxsize=depth)
        self.produce, self.count = produce, count
        self.thread = threading.Thread(target=self._work, daemon=True)

    def _work(self):
        for _ in range(self.count):
            self.queue.put(self.produce())
        self.queue.put(None)

    def __iter__(self):
        self.thread.start()
        while (item := self.queue.get()) is not None:
            yield item
        self.thread.join()


class CallMaker:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.t = np.arange(SAMPLES, dtype=np.float32) / SAMPLES

    def __call__(self):
        species = self.rng.integers(0, SPECIES, BATCH)
        base = (8 + 7 * species)[:, None] + self.rng.normal(0, 1, (BATCH, 1))
        call = np.sin(6.28 * base * self.t * (1 + 0.1 * self.t))
        call = call + self.rng.normal(0, 0.4, call.shape)
        return call.astype(np.float32), species


class CallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 8, 16, stride=4), nn.ReLU(), nn.Conv1d(8, 16, 8, stride=3), nn.ReLU())
        self.head = nn.Linear(16, SPECIES)

    def forward(self, wave):
        return self.head(self.conv(wave.unsqueeze(1)).amax(-1))


def loudness(wave, hit):
    level = np.sqrt((wave ** 2).mean(1))
    return float(level[hit].mean() - level[~hit].mean()) if hit.any() and not hit.all() else 0.0


def main():
    net = CallNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    gaps, pending = [], deque()
    with ThreadPoolExecutor(max_workers=1) as pool:
        for step, (wave, species) in enumerate(Prefetcher(CallMaker(61), STEPS)):
            target = torch.from_numpy(species)
            logits = net(torch.from_numpy(wave))
            loss = nn.functional.cross_entropy(logits, target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hit = (logits.detach().argmax(1) == target).numpy()
            pending.append(pool.submit(loudness, wave, hit))
            if len(pending) > 8:
                gaps.append(pending.popleft().result())
            if step % 40 == 0:
                print(f"{step:4d} loss {loss.item():.4f} acc {hit.mean():.3f} waiting {len(pending)}")
        gaps.extend(job.result() for job in pending)
    print("mean gap", round(float(np.mean(gaps)), 4))


if __name__ == "__main__":
    main()
