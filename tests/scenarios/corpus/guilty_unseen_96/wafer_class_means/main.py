# gradwatch-corpus: kind=graph-chain
# holder: means | self.service.latest | service.latest | self.means
# first-bad: 1
# notice: 5
"""Wafer-map defect classifier with a class-mean attraction term.

The class means live in a background service so that several loaders can feed it.
"""
import torch

import hooks
from means import MeanService
from wafers import CLASSES, make_batch


class DefectNet(torch.nn.Module):
    def __init__(self, pixels, width, classes):
        super().__init__()
        self.stem = torch.nn.Linear(pixels, width)
        self.head = torch.nn.Linear(width, classes)

    def forward(self, x):
        f = torch.relu(self.stem(x.flatten(1)))
        return f, self.head(f)


class Run:
    def __init__(self, steps):
        self.steps = steps
        self.net = DefectNet(64, 16, len(CLASSES))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.service = MeanService(len(CLASSES), 16)
        self.correct = 0

    def step(self, i, x, y):
        f, logits = self.net(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        extra = hooks.call("loss", self, f, y)
        self.opt.zero_grad()
        (loss + sum(extra)).backward(retain_graph=True)
        self.opt.step()
        hooks.call("after_step", self, f, y)
        self.correct += (logits.argmax(1) == y).sum().item()
        if i % 50 == 49:
            print(f"iter {i + 1:4d}  ce {loss.item():.4f}  acc {self.correct / (50 * len(y)):.3f}")
            self.correct = 0

    def go(self):
        gen = torch.Generator().manual_seed(11)
        self.service.start()
        try:
            for i in range(self.steps):
                self.step(i, *make_batch(32, gen))
        finally:
            self.service.stop()


@hooks.on("loss")
def attraction(run, f, y):
    means = run.service.latest
    if means is None:
        return f.new_zeros(())
    return 0.02 * (f - means[y]).pow(2).sum(1).mean()


@hooks.on("after_step")
def feed_service(run, f, y):
    with torch.no_grad():
        run.service.submit(f, y)  # <- culprit
        run.service.drain()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(3)
    Run(200).go()
