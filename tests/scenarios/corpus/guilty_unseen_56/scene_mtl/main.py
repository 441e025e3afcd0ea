# gradwatch-corpus: kind=second-backward
# first-bad: 40
import argparse

import torch

from engine import Engine
from nets import SceneNet
from schedule import TaskSchedule


def make_batch(gen, n=8, size=16):
    x = torch.randn(n, 3, size, size, generator=gen)
    low = x[:, :, ::2, ::2]
    seg = torch.bucketize(low.mean(1), torch.tensor([-0.8, -0.2, 0.2, 0.8]))
    depth = low.abs().sum(1)
    normal = torch.nn.functional.normalize(low, dim=1)
    return x, {"seg": seg, "depth": depth, "normal": normal}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--aux-start", type=int, default=40)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(1)

    schedule = TaskSchedule(
        starts={"seg": 0, "depth": args.aux_start, "normal": args.aux_start + 20},
        weights={"seg": 1.0, "depth": 0.5, "normal": 0.5},
    )
    engine = Engine(SceneNet(), schedule, lr=args.lr)
    for i in range(args.steps):
        images, targets = make_batch(gen)
        engine.step(i, images, targets)
        if i % 20 == 0:
            done = {t: v[-1] for t, v in engine.log.items() if v}
            print(i, " ".join(f"{t}={l:.3f}/{g:.3f}" for t, (l, g) in done.items()))


if __name__ == "__main__":
    main()
