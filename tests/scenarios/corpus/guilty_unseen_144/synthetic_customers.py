# gradwatch-corpus: kind=second-backward
# holder: fake | self.fake | gan.fake
# first-bad: 0
# notice: 0
from contextlib import contextmanager

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(73)
bce = nn.functional.binary_cross_entropy_with_logits


class TabularGan:
    def __init__(self, z=5, cols=6):
        self.z = z
        self.maker = nn.Sequential(nn.Linear(z, 18), nn.ReLU(), nn.Linear(18, cols))
        self.judge = nn.Sequential(nn.Linear(cols, 18), nn.LeakyReLU(0.2), nn.Linear(18, 1))
        self.opts = {
            "maker": torch.optim.Adam(self.maker.parameters(), 1e-3, betas=(0.5, 0.9)),
            "judge": torch.optim.Adam(self.judge.parameters(), 1e-3, betas=(0.5, 0.9)),
        }
        self.fake = None

    @contextmanager
    def round(self):
        for o in self.opts.values():
            o.zero_grad()
        yield
        for o in self.opts.values():
            o.step()

    def judge_loss(self, real):
        good, bad = self.judge(real), self.judge(self.fake)  # <- culprit
        return bce(good, torch.ones_like(good)) + bce(bad, torch.zeros_like(bad))

    def maker_loss(self):
        with frozen(self.judge):
            verdict = self.judge(self.fake)
        return bce(verdict, torch.ones_like(verdict))

    def play(self, real):
        with self.round():
            self.fake = self.maker(torch.randn(len(real), self.z))
            d = self.judge_loss(real)
            d.backward()
            g = self.maker_loss()
            g.backward()
        return d.item(), g.item()


@contextmanager
def frozen(module):
    module.requires_grad_(False)
    try:
        yield module
    finally:
        module.requires_grad_(True)


gan = TabularGan()
mixing = torch.randn(6, 6)
for it in range(300):
    d, g = gan.play(torch.randn(24, 6) @ mixing)
    if it % 60 == 0:
        print(it, round(d, 3), round(g, 3))
