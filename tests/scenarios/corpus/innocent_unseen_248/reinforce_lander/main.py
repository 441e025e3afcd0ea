# gradwatch-corpus: kind=none
import argparse

import torch
import torch.optim as optim

from lander import Lander1D
from policy import Policy, select_action, finish_episode

parser = argparse.ArgumentParser(description="REINFORCE with value baseline, 1D lander")
parser.add_argument("--gamma", type=float, default=0.99)
parser.add_argument("--seed", type=int, default=543)
parser.add_argument("--episodes", type=int, default=100)
parser.add_argument("--log-interval", type=int, default=20)
args = parser.parse_args()

torch.manual_seed(args.seed)
torch.set_num_threads(1)

env = Lander1D(seed=args.seed)
policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=5e-3)


def main():
    running_reward = -5.0
    for i_episode in range(1, args.episodes + 1):
        state = env.reset()
        ep_reward = 0.0
        for t in range(60):
            action = select_action(policy, state)
            state, reward, done = env.step(action)
            policy.rewards.append(reward)
            ep_reward += reward
            if done:
                break

        running_reward = 0.05 * ep_reward + (1 - 0.05) * running_reward
        loss = finish_episode(policy, optimizer, args.gamma)
        if i_episode % args.log_interval == 0:
            print("Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}\tloss {:.3f}".format(
                i_episode, ep_reward, running_reward, loss))


if __name__ == "__main__":
    main()
