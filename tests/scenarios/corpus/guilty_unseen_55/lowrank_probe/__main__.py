# gradwatch-corpus: kind=graph-held
# holder: self.tape | probe.tape | self.tape[name] | probe.tape[name] | self[name] | self | reel
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from .base import frozen_base, shifted_task
from .lowrank import attach
from .probe import Probe


def parse():
    ap = argparse.ArgumentParser("lowrank_probe")
    ap.add_argument("--steps", type=int, default=96)
    ap.add_argument("--rank", type=int, default=3)
    ap.add_argument("--every", type=int, default=4)
    ap.add_argument("--seed", type=int, default=6)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    net = frozen_base(18, 40, 6)
    adapters = attach(net, args.rank)
    probe = Probe(every=args.every)
    for name, ad in adapters.items():
        probe.watch(name, ad)
    params = [p for ad in adapters.values() for p in ad.trainable()]
    opt = torch.optim.Adam(params, lr=4e-3)
    for step, (x, y) in enumerate(shifted_task(18, 6, args.steps)):
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        probe.advance()
        if step % 24 == 23:
            print(f"step {step + 1} loss {loss.item():.3f} | {probe.summary()}")


if __name__ == "__main__":
    main()
