# gradwatch-corpus: kind=none
import queue
import threading

import torch
import torch.nn as nn
import torch.nn.functional as F


class MetricThread(threading.Thread):
    def __init__(self, maxsize=24, window=16):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize=maxsize)
        self.window = window
        self.batch = []
        self.lines = []

    def submit(self, step, loss, gates):
        self.inbox.put((step, loss, gates))

    def run(self):
        while True:
            item = self.inbox.get()
            if item is None:
                break
            self.batch.append(item)
            if len(self.batch) >= self.window:
                self.flush()

    def flush(self):
        steps, losses, gates = zip(*self.batch)
        mean = sum(l.item() for l in losses) / len(losses)
        open_rate = torch.stack([g.detach().mean() for g in gates]).mean().item()
        self.lines.append((steps[-1], mean, open_rate))
        self.batch = []


class GatedMLP(nn.Module):
    def __init__(self, dim=16, hidden=40):
        super().__init__()
        self.up = nn.Linear(dim, 2 * hidden)
        self.down = nn.Linear(hidden, 3)

    def forward(self, x):
        a, b = self.up(x).chunk(2, dim=-1)
        gate = torch.sigmoid(b)
        return self.down(a * gate), gate


def main():
    torch.manual_seed(4)
    model = GatedMLP()
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    teacher = torch.randn(16, 3)
    meter = MetricThread()
    meter.start()
    for step in range(640):
        x = torch.randn(32, 16)
        y = (x @ teacher).argmax(1)
        logits, gate = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.submit(step, loss, gate)
    meter.inbox.put(None)
    meter.join()
    for step, mean, rate in meter.lines[::8]:
        print(f"upto {step} loss {mean:.4f} gate {rate:.3f}")


if __name__ == "__main__":
    main()
