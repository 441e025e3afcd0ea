# gradwatch-corpus: kind=inplace-modified
# first-bad: 15
"""python -m koopman : linear latent dynamics of a damped pendulum."""
import argparse

import torch

from .callbacks import CallbackList, LossPrinter, StabilityProjection
from .model import Koopman, rollout_loss
from .sim import pendulum


def parse():
    p = argparse.ArgumentParser(prog="koopman")
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--per-epoch", type=int, default=20)
    p.add_argument("--horizon", type=int, default=6)
    p.add_argument("--latent", type=int, default=6)
    p.add_argument("--lr", type=float, default=3e-3)
    return p.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(19)
    model = Koopman(2, args.latent)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    calls = CallbackList([LossPrinter(every=10), StabilityProjection(every=16, radius=0.98)])
    it = 0
    for _ in range(args.epochs):
        for _ in range(args.per_epoch):
            traj = pendulum(32, args.horizon)
            loss = rollout_loss(model, traj)
            calls("loss_ready", model, it, loss)  # <- culprit
            opt.zero_grad()
            loss.backward()
            opt.step()
            calls("step_done", model, it, loss)
            it += 1


if __name__ == "__main__":
    main()
