# gradwatch-corpus: kind=second-backward
# holder: advantages | values
# first-bad: 1
# after: hijkzzz/pymarl2 #46 "MAPPO bug, trying to backward through the graph a second time" (mini_epochs > 1)
from types import SimpleNamespace as SN

import torch
from learner import MAPPOLearner
from env import Junctions

args = SN(n_agents=4, obs=6, actions=3, hidden=32, gamma=0.95, lam=0.9, clip=0.2, mini_epochs=4,
          horizon=20, updates=40, lr=7e-4)


def main():
    torch.manual_seed(0)
    env, learner = Junctions(args), MAPPOLearner(args)
    for update in range(args.updates):
        batch = env.rollout(learner.actor)
        info = learner.train(batch)
        print(update, info)


if __name__ == "__main__":
    main()
