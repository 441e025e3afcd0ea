# gradwatch-corpus: kind=second-backward
# holder: self._gram | field._gram | self._gram.value | gram | Lazy._gram
# first-bad: 31
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)


class SlipField(nn.Module):
    """Smoothed slip on a fault; the smoothing matrix comes from learned length scales."""

    def __init__(self, patches=14):
        super().__init__()
        where = torch.rand(patches, 2)
        self.register_buffer("gap", (where[:, None] - where[None]).square())
        self.log_scale = nn.Parameter(torch.zeros(2))
        self.raw = nn.Parameter(torch.zeros(patches))
        self._gram = None

    def refresh(self):
        self._gram = torch.exp(-(self.gap / self.log_scale.exp()).sum(-1))  # <- culprit

    def forward(self):
        return self._gram @ self.raw


class Refresher:
    def __init__(self, dense_until, stride):
        self.dense_until, self.stride = dense_until, stride

    def due(self, i):
        return i < self.dense_until or i % self.stride == 0


class Inversion:
    hooks = ("before_forward",)

    def __init__(self, field, greens, refresher):
        self.field, self.greens, self.refresher = field, greens, refresher
        self.opt = torch.optim.Adam(field.parameters(), lr=0.02)
        self.i = 0

    def before_forward(self):
        if self.refresher.due(self.i):  # <- culprit
            self.field.refresh()

    def iterate(self, obs):
        for h in self.hooks:
            getattr(self, h)()
        misfit = (self.greens @ self.field() - obs).square().mean()
        self.opt.zero_grad()
        misfit.backward()
        self.opt.step()
        self.i += 1
        return misfit.item()


if __name__ == "__main__":
    torch.manual_seed(66)
    field = SlipField()
    greens = torch.randn(20, 14)
    slip = torch.rand(14)
    inv = Inversion(field, greens, Refresher(dense_until=30, stride=5))
    for _ in range(400):
        last = inv.iterate(greens @ slip + 0.05 * torch.randn(20))
    print(last)
