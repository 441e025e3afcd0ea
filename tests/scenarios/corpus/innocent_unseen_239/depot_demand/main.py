# gradwatch-corpus: kind=none
import math

import torch

from forecast import BestState, DepotNet, HookRunner, LossWindow, Session

DEPOTS = 20
FEATURES = 5


def days(n):
    level = torch.randn(DEPOTS)
    for t in range(n):
        x = torch.randn(DEPOTS, FEATURES)
        x[:, 0] = math.sin(2 * math.pi * t / 7)
        x[:, 1] = math.cos(2 * math.pi * t / 7)
        level = 0.98 * level + 0.1 * torch.randn(DEPOTS)
        yield x, level + x[:, 0] + 0.3 * x[:, 2]


def main():
    torch.manual_seed(66)
    hooks = HookRunner()
    window = hooks.add(LossWindow(size=10))
    best = hooks.add(BestState(window))
    session = Session(DepotNet(DEPOTS, FEATURES, 24), hooks, lr=4e-3)
    for x, y in days(140):
        session.advance(x, y)
        if session.day % 28 == 0:
            print(f"day {session.day} nll {window.mean:.4f} best {best.best:.4f}")
    session.model.load_state_dict(best.weights)


if __name__ == "__main__":
    main()
