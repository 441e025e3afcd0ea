# gradwatch-corpus: kind=memory-climb
# holder: self.bins[name] | self.bins | watch.bins | watch.bins['act1'] | watch.bins['act2']
# first-bad: 1
"""Dead unit watch while training a plankton image classifier."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from plankton import patches, KINDS
from watch import DeadUnits


class PlanktonNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 5, stride=2, padding=2)
        self.mid = nn.Conv2d(8, 12, 3, stride=2, padding=1)
        self.act1, self.act2 = nn.ReLU(), nn.ReLU()
        self.head = nn.Linear(12, KINDS)

    def forward(self, x):
        x = self.act1(self.stem(x))
        x = self.act2(self.mid(x))
        return self.head(x.amax((2, 3)))


def main(steps=330):
    torch.manual_seed(64)
    net = PlanktonNet()
    watch = DeadUnits()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    with watch.on(net, nn.ReLU):
        for i in range(steps):
            img, kind = patches(48)
            loss = F.cross_entropy(net(img), kind)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            if i % 55 == 0:
                print(f"{i:4d} loss {loss.item():.4f} dead {watch.dead()}")
    print("final dead units", watch.dead())


if __name__ == "__main__":
    main()
