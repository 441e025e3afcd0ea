# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | reg.anchor | self.reg.anchor | learner.reg.anchor | regularizer.anchor
# first-bad: 1
# notice: 5
"""Domain-incremental learning on rotated blobs, slow-weights drift penalty.   python -m drift_cl"""
import argparse

import torch

from .learner import Learner, make_net
from .regularizers import build_regularizer
from .tasks import RotatedBlobs

torch.set_num_threads(1)


def run(args):
    torch.manual_seed(args.seed)
    net = make_net(hidden=args.hidden)
    reg = build_regularizer(args.reg, net, strength=args.strength)
    learner = Learner(net, reg, lr=args.lr)
    tasks = [RotatedBlobs(angle=a, seed=args.seed) for a in (0, 25, 50)]
    matrix = []
    for t, task in enumerate(tasks):
        stats = learner.learn(task, steps=args.steps)
        accs = [learner.accuracy(other) for other in tasks]
        matrix.append(accs)
        print(f"task {t}: ce {stats['ce']:.3f} pen {stats['pen']:.5f} acc " + " ".join(f"{a:.2f}" for a in accs))
    forgetting = [matrix[i][i] - matrix[-1][i] for i in range(len(tasks) - 1)]
    print("forgetting:", [round(f, 3) for f in forgetting])


if __name__ == "__main__":
    p = argparse.ArgumentParser("drift_cl")
    p.add_argument("--reg", default="slow")
    p.add_argument("--strength", type=float, default=5.0)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--steps", type=int, default=50)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=3)
    run(p.parse_args())
