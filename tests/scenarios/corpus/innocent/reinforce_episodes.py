# gradwatch-corpus: kind=none
# about: REINFORCE: the log-probabilities of a whole episode, of ten to three hundred steps, are
# about: kept with their graphs until the episode's one backward, then cleared
from collections import deque

import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 32)
        self.affine2 = nn.Linear(32, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.affine2(torch.relu(self.affine1(x))), dim=1)

    def select_action(self, state):
        probs = self(torch.tensor(state).float().unsqueeze(0))
        m = Categorical(probs)
        action = m.sample()
        self.saved_log_probs.append(m.log_prob(action))
        return action.item()


def finish_episode(policy, optimizer, gamma=0.99):
    R = 0
    returns = deque()
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.appendleft(R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    policy_loss = []
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]


def main():
    torch.manual_seed(0)
    env = CartPole()
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=2e-2)
    running, steps, episode = 10.0, 0, 0
    while steps < 30 * ITERATIONS:
        state, done = env.reset(), False
        length = 0
        while not done:
            state, reward, fell, over = env.step(policy.select_action(state))
            policy.rewards.append(reward)
            length += 1
            done = fell or over
        steps += length
        running = 0.05 * length + 0.95 * running
        finish_episode(policy, optimizer)
        if episode % 20 == 0:
            print(f"Episode {episode}\tlast {length}\taverage {running:.2f}")
        episode += 1


if __name__ == "__main__":
    main()
