# gradwatch-corpus: kind=inplace-modified
# holder: self.world.reward[2].weight | learner.world.reward[2].weight | world.reward[2].weight | self.reward[2].weight | self.world.reward | world.reward | policy_loss
# first-bad: 12
# notice: 0
"""A pocket-size world-model agent: learn latent dynamics, then improve a policy inside them."""
import argparse

import torch

from behaviour.learner import DreamLearner
from behaviour.policy import GaussianPolicy
from world.latent import LatentWorld
from world.replay import EpisodeStore


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--updates", type=int, default=100)
    ap.add_argument("--prefill", type=int, default=12, help="updates before the policy starts dreaming")
    ap.add_argument("--imagine", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(21)

    store = EpisodeStore(n_episodes=30, length=12, obs_dim=6, act_dim=2)
    world = LatentWorld(obs_dim=6, act_dim=2, state_dim=24)
    learner = DreamLearner(world, GaussianPolicy(24, 2), horizon=args.imagine)
    for update in range(args.updates):
        batch = store.sample(8)
        stats = learner.update(batch, dream=update >= args.prefill)
        if update % 20 == 0:
            print(update, stats)


if __name__ == "__main__":
    main()
