# gradwatch-corpus: kind=none
import torch, torch.nn as nn, torch.nn.functional as F
from collections import namedtuple
from itertools import count
torch.set_num_threads(1)
torch.manual_seed(543)

SavedAction = namedtuple('SavedAction', ['log_prob', 'value'])


class Bandit2D:
    """move a dot into the corner, never longer than 15 moves"""
    moves = torch.tensor([[1., 0], [-1., 0], [0, 1.], [0, -1.]])

    def reset(self):
        self.p = torch.tensor([2., 2.])
        self.k = 0
        return self.p / 4

    def step(self, a):
        self.p = (self.p + self.moves[a]).clamp(0, 4)
        self.k += 1
        win = bool((self.p == 4).all())
        return self.p / 4, (1.0 if win else -0.05), win or self.k == 15


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(2, 24)
        self.action_head = nn.Linear(24, 4)
        self.value_head = nn.Linear(24, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
env = Bandit2D()


def select_action(state):
    probs, state_value = model(state)
    m = torch.distributions.Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), state_value))
    return action.item()


def finish_episode():
    R = 0
    policy_losses = []
    value_losses = []
    returns = []
    for r in model.rewards[::-1]:
        R = r + 0.97 * R
        returns.insert(0, R)
    for (log_prob, value), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]


running_reward = 0
for i_episode in range(450):
    state, ep_reward = env.reset(), 0
    for t in count():
        action = select_action(state)
        state, reward, done = env.step(action)
        model.rewards.append(reward)
        ep_reward += reward
        if done:
            break
    running_reward = 0.05 * ep_reward + 0.95 * running_reward
    finish_episode()
    if i_episode % 90 == 0:
        print('Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}'.format(i_episode, ep_reward, running_reward))
