# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | meters["loss"].sum | self.meters["loss"].sum | self.meters[k].sum | m.sum | meters.meters["loss"].sum
# first-bad: 1
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import argparse

import torch

from lib.losses import DiceCE
from lib.meters import MeterGroup
from lib.unet import MiniUNet


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=130)
    p.add_argument("--batch", type=int, default=6)
    p.add_argument("--print-freq", type=int, default=26)
    return p.parse_args()


def fake_batch(n):
    m = torch.zeros(n, 16, 16, dtype=torch.long)
    for i in range(n):
        r, c = torch.randint(0, 9, (2,)).tolist()
        m[i, r:r + 6, c:c + 6] = 1
    return m[:, None].float() + 0.4 * torch.randn(n, 1, 16, 16), m


def train(args):
    model, crit = MiniUNet(), DiceCE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    meters = MeterGroup("loss", "iou")
    for it in range(args.iters):
        img, mask = fake_batch(args.batch)
        out = model(img)
        loss = crit(out, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pred = out.detach().argmax(1)
        inter = ((pred == 1) & (mask == 1)).sum().item()
        union = ((pred == 1) | (mask == 1)).sum().item()
        meters.update(args.batch, loss=loss, iou=inter / max(union, 1))  # <- culprit
        if it % args.print_freq == 0:
            print(it, meters)


if __name__ == "__main__":
    torch.manual_seed(5)
    train(get_args())
