# gradwatch-corpus: kind=second-backward
# holder: self.trace | balancer.trace | self.trace[t]
# first-bad: 2
"""Depth, segmentation and normals from one trunk, balanced by DWA."""
import argparse
import logging

import torch

from .balance import DynamicWeightAverage
from .net import SharedTrunk, scene_batch, task_losses

torch.set_num_threads(1)
log = logging.getLogger("dwa")


def train_step(model, balancer, opt, batch):
    x, target = batch
    losses = task_losses(model(x), target)
    total, w = balancer.combine(losses)
    opt.zero_grad()
    total.backward()
    opt.step()
    return total.item(), w.tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=80)
    ap.add_argument("--bs", type=int, default=32)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(4)
    model = SharedTrunk()
    balancer = DynamicWeightAverage(model.heads.keys())
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    skipped = 0
    for it in range(args.iters):
        try:
            total, w = train_step(model, balancer, opt, scene_batch(args.bs, gen))
        except RuntimeError as e:
            skipped += 1
            log.warning("it %d skipped: %s", it, str(e).split("(")[0])
            continue
        if it % 10 == 0:
            log.info("it %d total %.4f weights %s", it, total, [round(v, 3) for v in w])
    log.info("done, %d of %d steps skipped", skipped, args.iters)


if __name__ == "__main__":
    main()
