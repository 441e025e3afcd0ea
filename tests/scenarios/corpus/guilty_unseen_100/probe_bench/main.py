# gradwatch-corpus: kind=graph-chain
# holder: self.value | self.metrics["ce_ema"].value | metrics["ce_ema"].value | trainer.metrics["ce_ema"].value | m.value | self.ema.value
# first-bad: 1
# notice: 5
import argparse

import torch

from backbones import make_backbone
from criteria import make_criterion
from datasets import patches
from metrics import MetricCollection, make_metric
from trainer import ProbeTrainer


def parse(argv=None):
    p = argparse.ArgumentParser(description="linear probes on frozen backbones, self-paced loss")
    p.add_argument("--backbone", default="random_conv")
    p.add_argument("--criterion", default="self_paced_ce")
    p.add_argument("--iters", type=int, default=180)
    p.add_argument("--batch", type=int, default=24)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args(argv)


def main(args):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    metrics = MetricCollection({
        "ce_ema": make_metric("ema", decay=0.9),
        "acc": make_metric("mean", window=50),
    })
    backbone, width = make_backbone(args.backbone)
    head = torch.nn.Linear(width, 5)
    trainer = ProbeTrainer(
        backbone, head,
        make_criterion(args.criterion, metrics["ce_ema"]),
        torch.optim.SGD(head.parameters(), lr=args.lr),
        metrics,
    )
    trainer.fit(patches(5, args.batch), args.iters)
    print({k: round(v, 3) for k, v in metrics.compute().items()})


if __name__ == "__main__":
    main(parse([]))
