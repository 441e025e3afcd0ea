# gradwatch-corpus: kind=graph-held
# holder: self.inbox | writer.inbox | self.inbox.queue
# first-bad: 1
"""Leaf-disease classifier; metrics go to a writer thread over a queue and are
written as one table at the end of the run."""
import io
import queue
import threading

import torch
from torch import nn


class TableWriter(threading.Thread):
    def __init__(self, sink):
        super().__init__(daemon=True)
        self.sink = sink
        self.inbox = queue.Queue()
        self.ready = threading.Event()
        self.rows = 0

    def push(self, it, metrics):
        self.inbox.put((it, metrics))  # <- culprit

    def run(self):
        self.ready.wait()
        while True:
            item = self.inbox.get()
            if item is None:
                return
            it, metrics = item
            cells = [f"{name}:{float(v):.4f}" for name, v in metrics.items()]
            self.sink.write(f"{it}\t" + "\t".join(cells) + "\n")
            self.rows += 1

    def finish(self):
        self.inbox.put(None)
        self.ready.set()
        self.join()


class LeafNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.colour = nn.Linear(6, 24)
        self.texture = nn.Linear(10, 24)
        self.join = nn.Bilinear(24, 24, 16)
        self.cls = nn.Linear(16, classes)

    def forward(self, colour, texture):
        c = torch.tanh(self.colour(colour))
        t = torch.tanh(self.texture(texture))
        return self.cls(torch.relu(self.join(c, t)))


def leaves(seed, classes):
    g = torch.Generator().manual_seed(seed)
    centre = torch.randn(classes, 16, generator=g)
    while True:
        y = torch.randint(0, classes, (24,), generator=g)
        x = centre[y] + 0.8 * torch.randn(24, 16, generator=g)
        yield x[:, :6], x[:, 6:], y


def main(iterations=500):
    torch.manual_seed(83)
    model = LeafNet(5)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    sink = io.StringIO()
    writer = TableWriter(sink)
    writer.start()
    for it, (colour, texture, y) in zip(range(iterations), leaves(84, 5)):
        logits = model(colour, texture)
        loss = criterion(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        accuracy = (logits.argmax(1) == y).float().mean()
        writer.push(it, {"loss": loss, "accuracy": accuracy})
        if it % 100 == 99:
            print(f"{it + 1} loss {loss.item():.4f} acc {accuracy.item():.2f}")
    writer.finish()
    print(writer.rows, "rows;", sink.getvalue().splitlines()[-1])


if __name__ == "__main__":
    main()
