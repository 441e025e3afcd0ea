# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
import argparse

import torch

from learner import OnlineMetaLearner
from nets import SineRegressor
from stream import DriftingSines


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=80)
    p.add_argument("--shots", type=int, default=16)
    p.add_argument("--meta-lr", type=float, default=5e-3)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    stream = DriftingSines(shots=args.shots, drift=0.03)
    net = SineRegressor(width=24)
    learner = OnlineMetaLearner(net, init_lr=0.02)
    meta_opt = torch.optim.Adam(learner.meta_parameters(), lr=args.meta_lr)

    for step in range(args.steps):
        support, query = next(stream)
        learner.observe(*support)
        meta_loss = learner.evaluate(*query)
        meta_opt.zero_grad()
        meta_loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(list(learner.meta_parameters()), 1.0)
        meta_opt.step()
        if step % 20 == 0:
            lrs = {k: round(v.exp().item(), 4) for k, v in learner.named_lrs()}
            print(f"step {step:4d} query mse {meta_loss.item():.4f} lrs {lrs}")


if __name__ == "__main__":
    main()
