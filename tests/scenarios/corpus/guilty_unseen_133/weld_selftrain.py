# gradwatch-corpus: kind=crashed
# first-bad: 95
# notice: 0
import itertools
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(77)


@dataclass
class Sheet:
    seams: torch.Tensor
    grade: torch.Tensor
    pseudo: bool = False


class SeamNet(nn.Module):
    def __init__(self, d=9, classes=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 24), nn.GELU(), nn.LayerNorm(24))
        self.out = nn.Linear(24, classes)

    def forward(self, x):
        return self.out(self.body(x))


CENTRES = torch.randn(3, 9) * 1.5


def scan(n):
    k = torch.randint(0, 3, (n,))
    return CENTRES[k] + torch.randn(n, 9), k


def labelled():
    while True:
        x, k = scan(16)
        yield Sheet(x, k)


def confident(net, threshold):
    while True:
        x, _ = scan(64)
        with torch.no_grad():  # <- culprit
            prob, guess = net(x).softmax(-1).max(-1)
            keep = prob > threshold
            yield Sheet(x[keep][:16], guess[keep][:16], pseudo=True)  # <- culprit


def mixture(net, warm, ratio=6):
    truth, teacher = labelled(), confident(net, 0.5)
    for i in itertools.count():
        late = i >= warm and i % ratio == ratio - 1
        yield next(teacher if late else truth)


def fit(steps=500):
    net = SeamNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    crit = nn.CrossEntropyLoss(label_smoothing=0.05)
    score = {True: [], False: []}
    for sheet in itertools.islice(mixture(net, warm=90), steps):
        loss = crit(net(sheet.seams), sheet.grade)
        opt.zero_grad()
        loss.backward()
        opt.step()
        score[sheet.pseudo].append(loss.item())
    return score


if __name__ == "__main__":
    out = fit()
    print({k: sum(v) / len(v) for k, v in out.items()})
