# gradwatch-corpus: kind=graph-chain
# holder: self.shadow[name] | ema.shadow[name] | self.ema.shadow[name] | self.shadow | ema.shadow
# first-bad: 1
# notice: 5
"""Mean teacher: a few labelled glyphs and many unlabelled ones."""
import torch

torch.set_num_threads(1)

import torch.nn.functional as F
from torch import nn

from ema import WeightAverage
from glyphs import GlyphSource
from ramps import sigmoid_rampup


class Config:
    steps = 220
    decay = 0.97
    consistency = 4.0
    rampup = 60
    lr = 0.03


def student_net():
    return nn.Sequential(
        nn.Conv2d(1, 6, 3, stride=2), nn.ELU(), nn.Flatten(), nn.Linear(6 * 16, 20), nn.ELU(), nn.Linear(20, 5)
    )


def train(cfg):
    source = GlyphSource()
    net = student_net()
    ema = WeightAverage(net, cfg.decay)
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
    for step in range(cfg.steps):
        (xl, yl), (xa, xb) = source.labelled(6), source.two_views(10)
        supervised = F.cross_entropy(net(xl), yl)
        agree = F.mse_loss(net(xa).softmax(-1), ema.predict(xb).softmax(-1))
        loss = supervised + cfg.consistency * sigmoid_rampup(step, cfg.rampup) * agree
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update()
        if step % 55 == 0:
            print(f"{step:4d} sup {supervised.item():.3f} cons {agree.item():.4f}")
    return ema


if __name__ == "__main__":
    torch.manual_seed(23)
    train(Config)
