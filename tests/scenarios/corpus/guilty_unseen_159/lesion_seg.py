# gradwatch-corpus: kind=graph-held
# holder: self._notes | ledger._notes | self.ledger._notes | model.ledger._notes | _notes
# first-bad: 1
# notice: 8
"""Lesion segmentation on synthetic CT slices with a per-study ledger."""
import weakref
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2)


@dataclass(eq=False)
class Study:
    uid: int
    image: torch.Tensor
    mask: torch.Tensor


@dataclass
class Reading:
    study: Study
    heat: torch.Tensor
    dice: float


class Ledger:
    """Readings live as long as the study they belong to."""

    def __init__(self):
        self._notes = weakref.WeakKeyDictionary()

    def __setitem__(self, study, heat):
        self._notes[study] = Reading(study, heat, dice(heat, study.mask).item())  # <- culprit

    def __getitem__(self, study):
        return self._notes[study]

    def __contains__(self, study):
        return study in self._notes


def dice(heat, mask, eps=1e-3):
    inter = (heat * mask).sum()
    return (2 * inter + eps) / (heat.sum() + mask.sum() + eps)


class Net(nn.Module):
    def __init__(self, ch=10):
        super().__init__()
        self.enc = nn.Conv2d(1, ch, 3, padding=1)
        self.down = nn.Conv2d(ch, ch, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(ch, ch, 2, stride=2)
        self.head = nn.Conv2d(2 * ch, 1, 1)

    def forward(self, x):
        a = F.silu(self.enc(x))
        b = self.up(F.silu(self.down(a)))
        return self.head(torch.cat([a, b], 1))


class Reader:
    def __init__(self, net, ledger):
        self.net, self.ledger = net, ledger

    @property
    def params(self):
        return self.net.parameters()

    def read(self, study):
        logit = self.net(study.image)
        self.ledger[study] = logit.sigmoid()  # <- culprit
        return logit

    def loss(self, study):
        logit = self.read(study)
        bce = F.binary_cross_entropy_with_logits(logit, study.mask)
        return bce + 1 - dice(self.ledger[study].heat, study.mask)


def archive(n, size=20):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    for uid in range(n):
        cy, cx = torch.randint(5, 15, (2,))
        mask = (((yy - cy) ** 2 + (xx - cx) ** 2) < 14).float().expand(2, 1, -1, -1)
        yield Study(uid, mask + 0.6 * torch.randn(2, 1, size, size), mask)


def main():
    reader = Reader(Net(), Ledger())
    opt = torch.optim.SGD(reader.params, lr=0.05, momentum=0.9)
    for st in archive(100):
        opt.zero_grad()
        loss = reader.loss(st)
        loss.backward()
        opt.step()
        if st.uid % 25 == 24:
            print(st.uid, round(loss.item(), 4), round(reader.ledger[st].dice, 4))


if __name__ == "__main__":
    main()
