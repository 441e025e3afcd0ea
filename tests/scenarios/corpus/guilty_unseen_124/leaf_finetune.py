# gradwatch-corpus: kind=crashed
# first-bad: 48
# notice: 0
"""Leaf disease classifier: joint training first, afterwards only the head should move."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(91)


class Leafnet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3, 2), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.backbone(x))


class Stage:
    def __init__(self, at, patterns):
        self.at, self.patterns = at, patterns

    def apply(self, net):
        for name, p in net.named_parameters():
            if any(name.find(s) for s in self.patterns):
                p.requires_grad_(False)  # <- culprit
        net.backbone.eval()


class Loop:
    def __init__(self, net, stages):
        self.net = net
        self.stages = {s.at: s for s in stages}
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
        self.crit = nn.CrossEntropyLoss(label_smoothing=0.05)

    def epoch(self, k, batches=12):
        if k in self.stages:
            self.stages[k].apply(self.net)
        seen = 0.0
        for _ in range(batches):
            y = torch.randint(0, 3, (16,))
            x = torch.rand(16, 3, 14, 14)
            x[torch.arange(16), y] += 0.3
            loss = self.crit(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            seen += float(loss.detach())
        return seen / batches


loop = Loop(Leafnet(), [Stage(4, ("backbone.conv", "backbone.norm"))])
for k in range(16):
    print(k, f"{loop.epoch(k):.4f}")
