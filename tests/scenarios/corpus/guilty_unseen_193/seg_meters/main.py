# gradwatch-corpus: kind=graph-held
# holder: meters["aux"].sum | meters.meters["aux"].sum | self.sum
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from models import TinySeg
from utils import MeterGroup


def parse_args():
    p = argparse.ArgumentParser("tiny segmentation")
    p.add_argument("--steps", type=int, default=420)
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--size", type=int, default=16)
    p.add_argument("--classes", type=int, default=4)
    p.add_argument("--aux-weight", type=float, default=0.4)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--print-freq", type=int, default=100)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def make_batch(args, gen):
    x = torch.randn(args.batch_size, 3, args.size, args.size, generator=gen)
    y = (x.mean(1) * 2 + 2).clamp(0, args.classes - 1).long()
    return x, y


def pixel_accuracy(logits, target):
    return (logits.argmax(1) == target).float().mean()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    model = TinySeg(args.classes)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=args.steps, power=0.9)
    meters = MeterGroup("loss", "aux", "acc")

    model.train()
    for step in range(args.steps):
        images, target = make_batch(args, gen)
        logits, aux_logits = model(images)
        main_loss = F.cross_entropy(logits, target)
        aux_loss = F.cross_entropy(aux_logits, target)
        loss = main_loss + args.aux_weight * aux_loss

        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()

        n = images.size(0)
        meters.update(n, loss=loss.item(), acc=pixel_accuracy(logits, target).item())
        meters["aux"].update(args.aux_weight * aux_loss, n)  # <- culprit
        if (step + 1) % args.print_freq == 0:
            print(meters.summary(f"[{step + 1}/{args.steps}] "))


if __name__ == "__main__":
    main()
