# gradwatch-corpus: kind=graph-held
# holder: self._scalars[name] | self._scalars | self.model._scalars | model._scalars
# first-bad: 1
"""Toy monocular depth regression, organised the Lightning way."""
import torch
import torch.nn.functional as F
from torch import nn

from engine import Engine, LitBase


def silog(pred, target, lam=0.5):
    d = pred - target
    return (d.pow(2).mean() - lam * d.mean().pow(2)).clamp(min=1e-8).sqrt()


class DepthNet(LitBase):
    def __init__(self, width=12):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.dec = nn.Sequential(
            nn.Upsample(scale_factor=2), nn.Conv2d(width, 1, 3, padding=1), nn.Softplus(),
        )

    def forward(self, x):
        return self.dec(self.enc(x)) + 1e-3

    def training_step(self, batch, idx):
        img, depth = batch
        pred = self(img).log()
        loss = silog(pred, depth.log())
        grad_term = F.l1_loss(pred.diff(dim=-1), depth.log().diff(dim=-1))
        self.log("silog", loss)
        self.log("smooth", grad_term)
        return loss + 0.1 * grad_term

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)


def batches(n, seed=5):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        img = torch.rand(4, 3, 16, 16, generator=g)
        depth = 0.5 + img.mean(1, keepdim=True) * 2
        yield img, depth


if __name__ == "__main__":
    torch.manual_seed(0)
    model = DepthNet()
    Engine(max_steps=450, print_every=90).fit(model, lambda: batches(150))
    print(model.epoch_summary())
