# gradwatch-corpus: kind=none
"""Clipped policy optimisation of a heating controller over a few simulated houses."""
import torch

from .agent import ActorCritic, ClippedUpdate
from .house import House
from .rollout import Rollouts


def main(rounds=700):
    torch.manual_seed(80)
    net = ActorCritic()
    rollouts = Rollouts([House(s) for s in range(6)], net)
    update = ClippedUpdate(net)
    for i, batch in enumerate(rollouts.batches(rounds)):
        update(batch)
        if i % 50 == 49:
            print(f"round {i + 1:4d} updates {update.steps} reward {rollouts.average_reward():+.3f} "
                  f"loss {update.last_loss.item():+.3f} entropy {update.last_entropy.item():.3f}")


if __name__ == "__main__":
    main()
