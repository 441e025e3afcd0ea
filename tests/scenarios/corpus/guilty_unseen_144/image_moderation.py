# gradwatch-corpus: kind=inplace-modified
# holder: x
# first-bad: 40
# notice: 0
import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(99)

STAGES = {}
PIPELINE = [
    {"use": "stem"},
    {"use": "gate"},
    {"use": "dampen", "after": 40, "rate": 0.9},
    {"use": "head"},
]


def stage(fn):
    STAGES[fn.__name__] = fn
    return fn


class Weights(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3, padding=1)
        self.gate = nn.Conv2d(6, 6, 1)
        self.head = nn.Linear(6, 4)


@stage
def stem(w, x, **_):
    return nn.functional.avg_pool2d(torch.relu(w.conv(x)), 2)


@stage
def gate(w, x, **_):
    return torch.sigmoid(w.gate(x))


@stage
def dampen(w, x, rate, **_):
    x *= rate  # <- culprit
    return x


@stage
def head(w, x, **_):
    return w.head(x.mean((2, 3)))


class Runner:
    def __init__(self, plan):
        self.plan = plan
        self.w = Weights()
        self.opt = torch.optim.Adam(self.w.parameters(), 5e-3)
        self.step = 0

    def forward(self, x):
        for spec in self.plan:
            opts = {k: v for k, v in spec.items() if k not in ("use", "after")}
            if self.step >= spec.get("after", 0):
                x = STAGES[spec["use"]](self.w, x, **opts)
        return x

    def train(self, steps):
        for self.step in range(steps):
            img = torch.rand(8, 3, 8, 8)
            label = (img.mean((2, 3)).argmax(1) + (img[:, 0, 0, 0] > 0.5)).long()
            loss = nn.functional.cross_entropy(self.forward(img), label)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if self.step % 20 == 0:
                print(self.step, round(loss.item(), 4))


Runner(PIPELINE).train(300)
