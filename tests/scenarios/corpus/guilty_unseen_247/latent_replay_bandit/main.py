# gradwatch-corpus: kind=second-backward
# holder: self.replay | agent.replay | self.replay.items | agent.replay.items | self.items | replay | replay.items
# first-bad: 9
"""Neural-linear bandit with latent replay on a synthetic recommendation problem."""
import torch

from agent import LatentReplayAgent
from world import Recommender


def run(rounds=120):
    torch.manual_seed(90)
    world = Recommender(features=14, arms=5)
    agent = LatentReplayAgent(features=14, arms=5, latent=16, warmup=8)
    regret = 0.0
    for r in range(rounds):
        context = world.visitors(12)
        arms, latent = agent.act(context)
        reward = world.click(context, arms)
        td = agent.learn(latent, arms, reward)
        regret += world.gap(context, arms)
        if r % 4 == 0:
            print(f"round {r} loss {td:.4f} regret {regret:.2f}")


if __name__ == "__main__":
    run()
