# gradwatch-corpus: kind=graph-held
# holder: Callbacks.closing | self.closing | cls.closing | callbacks.closing
# first-bad: 1
# notice: 12
"""Contrastive alignment of chemical sensors; callbacks may put work off to
the end of the run."""
import torch

from .callbacks import Alignment, Callbacks, Printer
from .encoders import PairEncoder, info_nce, pairs


def main(iterations=520):
    torch.manual_seed(47)
    model = PairEncoder(9, 14, 20)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    callbacks = Callbacks([Printer(every=130), Alignment()])
    for it, (a, b) in zip(range(iterations), pairs(48)):
        za, zb = model(a, b)
        loss = info_nce(za, zb, model.log_temp)
        opt.zero_grad()
        loss.backward()
        opt.step()
        callbacks.fire(it, loss, za, zb)
    callbacks.finish()


main()
