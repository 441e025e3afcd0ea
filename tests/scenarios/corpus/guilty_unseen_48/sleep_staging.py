# gradwatch-corpus: kind=memory-climb
# holder: self._parts | collector._parts | self.collector._parts | trainer.collector._parts
# first-bad: 14
# notice: 100
"""Sleep stages for every half minute of a night, with a thread that prepares nights ahead."""
import queue
import threading
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

STAGES = ("wake", "rem", "n1", "n2", "n3")


class Prefetcher:
    def __init__(self, source, ahead=2):
        self._queue = queue.Queue(maxsize=ahead)
        self._thread = threading.Thread(target=self._work, args=(source,), daemon=True)
        self._thread.start()

    def _work(self, source):
        for item in source:
            self._queue.put(item)
        self._queue.put(None)

    def __iter__(self):
        return iter(self._queue.get, None)


def nights(n, seed, size=16, length=840):
    gen = torch.Generator().manual_seed(seed)
    tone = torch.linspace(-1, 1, len(STAGES))
    for _ in range(n):
        walk = torch.randint(0, len(STAGES), (size, length // 20), generator=gen)
        stage = walk.repeat_interleave(20, dim=1)
        signal = torch.stack([tone[stage], tone[stage] ** 2], 1)
        yield signal + 0.4 * torch.randn(size, 2, length, generator=gen), stage


class StageNet(nn.Sequential):
    def __init__(self, width=12):
        super().__init__(
            nn.Conv1d(2, width, 5, padding=2), nn.ReLU(),
            nn.Conv1d(width, len(STAGES), 5, padding=2),
        )


class Collector:
    """Gathers an epoch's predictions for the agreement table at its end."""

    def __init__(self):
        self._parts = defaultdict(list)
        self._epoch = -1

    def begin(self, epoch):
        self._parts.pop(epoch, None)  # <- culprit
        self._epoch = epoch

    def add(self, logits, stage):
        probs = logits.detach().softmax(1)
        self._parts[self._epoch].append((probs, stage))  # <- culprit

    def agreement(self):
        hits = torch.zeros(len(STAGES))
        seen = torch.zeros(len(STAGES))
        for probs, stage in self._parts[self._epoch]:
            right = probs.argmax(1) == stage
            for k in range(len(STAGES)):
                mask = stage == k
                hits[k] += right[mask].sum()
                seen[k] += mask.sum()
        return {s: round(v, 3) for s, v in zip(STAGES, (hits / seen.clamp(min=1)).tolist())}


class Trainer:
    def __init__(self, net, collector, lr=5e-3):
        self.net, self.collector = net, collector
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def step(self, signal, stage):
        logits = self.net(signal)
        loss = F.cross_entropy(logits, stage)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.collector.add(logits, stage)
        return loss.item()

    def epoch(self, number, feed):
        self.collector.begin(number)
        losses = [self.step(*night) for night in feed]
        table = self.collector.agreement()
        print(f"epoch {number} loss {sum(losses) / len(losses):.4f} {table}")


def main():
    torch.manual_seed(1)
    trainer = Trainer(StageNet(), Collector())
    for number in range(14):
        trainer.epoch(number, Prefetcher(nights(14, seed=number)))


if __name__ == "__main__":
    main()
