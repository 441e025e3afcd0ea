# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.teacher.shadow | trainer.teacher.shadow
# first-bad: 1
"""Semi-supervised mean-teacher on synthetic blobs-in-an-image segmentation."""
import argparse

import torch
import torch.nn.functional as F

from averaging import WeightAverage
from net import TinyUNet


def synth_batch(n, size, gen):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    centre = torch.rand(n, 2, generator=gen) * size
    radius = 2 + torch.rand(n, generator=gen) * 4
    d = (yy[None] - centre[:, 0, None, None]) ** 2 + (xx[None] - centre[:, 1, None, None]) ** 2
    mask = (d < radius[:, None, None] ** 2).float()
    img = mask + 0.5 * torch.randn(n, size, size, generator=gen)
    return img.unsqueeze(1), mask.unsqueeze(1)


class SemiTrainer:
    def __init__(self, args):
        self.args = args
        self.gen = torch.Generator().manual_seed(args.seed)
        self.student = TinyUNet(args.width)
        self.teacher = WeightAverage(self.student, decay=args.decay)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=args.lr)

    def rampup(self, step):
        return self.args.lambda_u * min(1.0, (step + 1) / self.args.ramp)

    def step(self, it):
        img, mask = synth_batch(self.args.bs, 16, self.gen)
        extra, _ = synth_batch(self.args.bs, 16, self.gen)
        sup = F.binary_cross_entropy_with_logits(self.student(img), mask)
        noisy = extra + 0.1 * torch.randn(extra.shape, generator=self.gen)
        target = torch.sigmoid(self.teacher(extra))
        cons = F.mse_loss(torch.sigmoid(self.student(noisy)), target)
        loss = sup + self.rampup(it) * cons

        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.teacher.update(it)
        return sup.item(), cons.item()


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--bs", type=int, default=8)
    p.add_argument("--width", type=int, default=8)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--decay", type=float, default=0.97)
    p.add_argument("--lambda-u", dest="lambda_u", type=float, default=2.0)
    p.add_argument("--ramp", type=int, default=40)
    p.add_argument("--steps", type=int, default=120)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


if __name__ == "__main__":
    args = parse()
    torch.manual_seed(args.seed)
    trainer = SemiTrainer(args)
    for it in range(args.steps):
        sup, cons = trainer.step(it)
        if it % 20 == 0:
            print(f"it {it:4d} sup {sup:.4f} cons {cons:.5f}")
