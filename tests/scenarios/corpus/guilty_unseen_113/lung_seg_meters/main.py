# gradwatch-corpus: kind=graph-held
# holder: self.total | meter.total | m.total | self.meters[name].total | metrics.meters[name].total | metrics.meters["loss"].total
# first-bad: 3
# notice: 8
"""Toy lung-field segmentation on synthetic 16x16 slices."""
import torch

from data import SliceSet
from engine import train_one_epoch
from net import TinySeg

torch.set_num_threads(1)
torch.manual_seed(17)


def main():
    ds = SliceSet(n=256)
    net = TinySeg()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    metrics = None
    for epoch in range(8):
        metrics = train_one_epoch(net, ds, opt, epoch, metrics, print_freq=3)
        print(f"epoch {epoch}: {metrics}")


if __name__ == "__main__":
    main()
