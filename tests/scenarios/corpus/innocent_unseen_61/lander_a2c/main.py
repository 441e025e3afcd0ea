# gradwatch-corpus: kind=none
"""Episode-wise actor-critic with a shared trunk and separate optimisers."""
import argparse

import torch

from rl.agent import LanderAgent
from rl.env import Lander


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--episodes", type=int, default=150)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(19)
    env, agent = Lander(), LanderAgent(n_obs=2, n_actions=2)
    scores = []
    for episode in range(args.episodes):
        obs, done, score = env.reset(), False, 0.0
        while not done:
            obs, reward, done = env.step(agent.act(obs))
            agent.rewarded(reward)
            score += reward
        agent.finish_episode()
        scores.append(score)
    print(f"mean score {sum(scores[:30]) / 30:.2f} -> {sum(scores[-30:]) / 30:.2f}, baseline {agent.baseline:.2f}")


if __name__ == "__main__":
    main()
