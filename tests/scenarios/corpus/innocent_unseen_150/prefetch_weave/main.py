# gradwatch-corpus: kind=none
"""Textile defects: a loader thread in front of the trainer and a reporting thread behind it."""
import torch
from torch import nn

from lines import Loader, Reporter

torch.manual_seed(44)
torch.set_num_threads(1)


def main():
    net = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(54, 3))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    reporter = Reporter(every=30)
    reporter.start()
    for step, (x, y) in enumerate(Loader(150)):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        reporter.put(step, loss, logits, y)
    reporter.close()
    print(reporter.lines[-1])


if __name__ == "__main__":
    main()
