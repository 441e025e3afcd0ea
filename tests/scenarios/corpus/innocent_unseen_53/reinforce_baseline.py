# gradwatch-corpus: kind=none
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

gamma = 0.95
log_interval = 15
eps = np.finfo(np.float32).eps.item()


class PoleEnv:
    """very rough cart pole"""

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4)
        return self.s.astype("float32")

    def step(self, action):
        x, v, th, w = self.s
        force = 1.0 if action == 1 else -1.0
        acc = 9.8 * np.sin(th) - 6.0 * force * np.cos(th)
        self.s = np.array([x + 0.02 * v, v + 0.2 * force, th + 0.03 * w, w + 0.03 * acc])
        done = abs(self.s[2]) > 0.25 or abs(self.s[0]) > 2.4
        return self.s.astype("float32"), 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(4, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved_log_probs = []
        self.saved_values = []
        self.entropies = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


torch.manual_seed(543)
env = PoleEnv(543)
policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state):
    probs, value = policy(torch.from_numpy(state))
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    policy.saved_values.append(value)
    policy.entropies.append(m.entropy())
    return action.item()


def finish_episode(baseline):
    R = 0
    returns = []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    baseline = 0.9 * baseline + 0.1 * returns.mean()
    scaled = (returns - baseline) / (returns.std() + eps)

    policy_loss, value_loss = [], []
    for log_prob, value, R in zip(policy.saved_log_probs, policy.saved_values, scaled):
        policy_loss.append(-log_prob * (R - value.item()))
        value_loss.append(F.smooth_l1_loss(value, R.view(1)))

    optimizer.zero_grad()
    loss = torch.stack(policy_loss).sum() + torch.stack(value_loss).sum()
    loss = loss - 0.01 * torch.stack(policy.entropies).sum()
    loss.backward()
    optimizer.step()

    del policy.rewards[:]
    del policy.saved_log_probs[:]
    del policy.saved_values[:]
    policy.entropies.clear()
    return baseline, loss.detach()


def main():
    running_reward = 10
    baseline = torch.zeros(())
    losses = []
    for i_episode in range(1, 91):
        state, ep_reward = env.reset(), 0
        for t in range(1, 40):
            action = select_action(state)
            state, reward, done = env.step(action)
            policy.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = 0.05 * ep_reward + (1 - 0.05) * running_reward
        baseline, loss = finish_episode(baseline)
        losses.append(loss)
        if i_episode % log_interval == 0:
            print('Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}\tLoss: {:.2f}'.format(
                i_episode, ep_reward, running_reward, torch.stack(losses[-log_interval:]).mean()))


if __name__ == '__main__':
    main()
