# gradwatch-corpus: kind=graph-held
# holder: self.center | self.whiten.center | whiten.center | model.whiten.center | net.whiten.center | module.center
# first-bad: 1
# notice: 8
import logging

import torch
from torch import nn

from .data import leaves
from .layers import CenteredWhitening

logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
log = logging.getLogger("leafnet")


class LeafNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.SiLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.SiLU(),
        )
        self.whiten = CenteredWhitening(16)
        self.head = nn.Linear(16, classes)

    def forward(self, img):
        feats = self.stem(img).mean(dim=(2, 3))
        return self.head(self.whiten(feats))


def evaluate(net, gen):
    net.eval()
    with torch.no_grad():
        img, lab = leaves(64, gen)
        acc = (net(img).argmax(1) == lab).float().mean().item()
    net.train()
    return acc


def main(iters=120, batch=32):
    torch.set_num_threads(1)
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    net = LeafNet()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for it in range(iters):
        img, lab = leaves(batch, gen)
        loss = nn.functional.cross_entropy(net(img), lab, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 29:
            log.info("it %d loss %.3f val acc %.2f", it, loss.item(), evaluate(net, gen))


main()
