# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
from torch import nn

from . import events
from .stats import EpochBook

torch.manual_seed(71)
STEPS_PER_EPOCH = 8


class WeightNet(nn.Module):
    """Parcel weight from its three side lengths and a material code."""

    def __init__(self):
        super().__init__()
        self.mat = nn.Embedding(4, 3)
        self.cell = nn.Sequential(nn.Linear(6, 14), nn.Hardswish(), nn.Linear(14, 1))

    def forward(self, sides, mat):
        return self.cell(torch.cat([sides.log(), self.mat(mat)], 1)).squeeze(1)


def main(epochs=120):
    net, book = WeightNet(), EpochBook()
    opt = torch.optim.Adam(net.parameters(), 4e-3)
    step = 0
    for epoch in range(epochs):
        for _ in range(STEPS_PER_EPOCH):
            sides, mat = torch.rand(20, 3) + 0.2, torch.randint(0, 4, (20,))
            target = sides.log().sum(1) + 0.4 * mat
            out = net(sides, mat)
            loss = nn.functional.mse_loss(out, target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            events.step_done(step=step, loss=loss, output=out)
            step += 1
        events.epoch_done(epoch=epoch)
    for epoch, mean, spread in book.lines[::30]:
        print(f"epoch {epoch}: {mean:.4f} ± {spread:.3f}")


main()
