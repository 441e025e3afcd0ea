# gradwatch-corpus: kind=none
"""Wear estimation with a prefetching producer and a metrics worker that sees live outputs."""
import queue

import torch
import torch.nn as nn
import torch.nn.functional as F

from .threads import MetricsWorker, Prefetcher

torch.set_num_threads(1)
torch.manual_seed(36)


class WearNet(nn.Module):
    def __init__(self, signals=8, width=32):
        super().__init__()
        self.conv = nn.Conv1d(signals, width, 3)
        self.gate = nn.Conv1d(signals, width, 3)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.tanh(self.conv(x)) * torch.sigmoid(self.gate(x))
        return self.out(h.amax(dim=-1)).squeeze(-1)


def main():
    model = WearNet()
    opt = torch.optim.NAdam(model.parameters(), lr=2e-3)
    metrics = MetricsWorker(queue.Queue(maxsize=3))
    with Prefetcher(queue.Queue(maxsize=4), batches=100) as batches, metrics:
        for step, (x, y) in enumerate(batches):
            prediction = model(x)
            loss = F.l1_loss(prediction, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            metrics.put(prediction, y, loss)
            if step % 25 == 24:
                metrics.drain()
                print(f"step {step + 1} {metrics.summary()}")


if __name__ == "__main__":
    main()
