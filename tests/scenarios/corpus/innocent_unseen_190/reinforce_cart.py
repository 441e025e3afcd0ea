# gradwatch-corpus: kind=none
# after the pytorch/examples reinforce.py
import math
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Pole:
    def reset(self):
        self.s = (torch.rand(4) - 0.5) * 0.1
        self.t = 0
        return self.s

    def step(self, a):
        x, xd, th, thd = self.s.tolist()
        f = 10.0 if a == 1 else -10.0
        tmp = (f + 0.05 * thd ** 2 * math.sin(th)) / 1.1
        tha = (9.8 * math.sin(th) - math.cos(th) * tmp) / (0.5 * (4 / 3 - 0.1 * math.cos(th) ** 2 / 1.1))
        xa = tmp - 0.05 * tha * math.cos(th) / 1.1
        self.s = torch.tensor([x + 0.02 * xd, xd + 0.02 * xa, th + 0.02 * thd, thd + 0.02 * tha])
        self.t += 1
        done = abs(self.s[0].item()) > 2.4 or abs(self.s[2].item()) > 0.21 or self.t >= 25
        return self.s, 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(4, 32)
        self.affine2 = nn.Linear(32, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.affine2(torch.relu(self.affine1(x))), dim=1)


torch.manual_seed(543)
env = Pole()
policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
baseline = torch.zeros(())
loss_trace = []


def select_action(state):
    probs = policy(state.unsqueeze(0))
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    global baseline
    R = 0
    returns = []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    baseline = 0.95 * baseline + 0.05 * returns.mean()
    policy_loss = [-lp * (R - baseline) for lp, R in zip(policy.saved_log_probs, returns)]
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    loss_trace.append(policy_loss.item())
    del policy.rewards[:]
    del policy.saved_log_probs[:]


def main():
    running_reward = 10
    for i_episode in range(420):
        state, ep_reward, done = env.reset(), 0, False
        while not done:
            state, reward, done = env.step(select_action(state))
            policy.rewards.append(reward)
            ep_reward += reward
        running_reward = 0.05 * ep_reward + 0.95 * running_reward
        finish_episode()
        if i_episode % 60 == 0:
            print('Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}'.format(
                i_episode, ep_reward, running_reward))


if __name__ == '__main__':
    main()
