# gradwatch-corpus: kind=graph-chain
# holder: self.avg[name] | self.avg | balancer.avg
# first-bad: 1
import argparse

import torch

from balance import LossBalancer
from data import HouseholdStream
from net import EnergyNet


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=450)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--seed", type=int, default=3)
    return ap.parse_args()


def sgd(params, lr):
    for p in params:
        if p.grad is None:
            continue
        p.data -= lr * p.grad.data


def clear(params):
    for p in params:
        p.grad = None


def main():
    args = parse()
    torch.manual_seed(args.seed)
    stream = HouseholdStream(args.batch)
    net = EnergyNet(stream.n_features)
    params = list(net.parameters())
    balancer = LossBalancer(["heat", "power", "occupied"], decay=0.9)

    for step in range(args.steps):
        x, heat, power, occ = stream.next()
        out = net(x)
        losses = {
            "heat": (out["heat"] - heat).pow(2).mean(),
            "power": (out["power"] - power).abs().mean(),
            "occupied": torch.nn.functional.binary_cross_entropy_with_logits(
                out["occupied"], occ),
        }
        total = balancer.combine(losses)
        clear(params)
        total.backward(retain_graph=True)
        sgd(params, args.lr)
        if step % 100 == 0:
            shown = "  ".join(f"{k} {v.item():.3f}" for k, v in losses.items())
            print(f"[{step}] total {total.item():.3f}  {shown}")


if __name__ == "__main__":
    main()
