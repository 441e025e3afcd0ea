# gradwatch-corpus: kind=graph-held
# holder: agent.entropies | self.entropies | model.entropies
# first-bad: 1
# notice: 8
"""Actor-critic on a little corridor world (episodic). Based on the pytorch examples, I added an entropy bonus."""
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(543)

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])


class Corridor:
    """Walk right to the goal, slip now and then."""

    def __init__(self, length=6, limit=12):
        self.length, self.limit = length, limit

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.length)
        o[self.pos] = 1.0
        return o

    def step(self, action):
        self.t += 1
        move = 1 if action == 1 else -1
        if torch.rand(()) < 0.1:
            move = -move
        self.pos = max(0, min(self.length - 1, self.pos + move))
        goal = self.pos == self.length - 1
        return self._obs(), 1.0 if goal else -0.02, goal or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.affine1 = nn.Linear(n_obs, 24)
        self.action_head = nn.Linear(24, n_act)
        self.value_head = nn.Linear(24, 1)
        self.saved_actions = []
        self.rewards = []
        self.entropies = []

    def forward(self, x):
        x = torch.tanh(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)

    def act(self, state):
        probs, value = self(state)
        m = Categorical(probs)
        action = m.sample()
        self.saved_actions.append(SavedAction(m.log_prob(action), value))
        self.entropies.append(m.entropy())  # <- culprit
        return action.item()


env = Corridor()
agent = Policy(env.length, 2)
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-2)


def finish_episode(gamma=0.97, beta=0.01):
    R = 0
    returns = []
    for r in agent.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std(unbiased=False) + 1e-6)

    policy_losses, value_losses = [], []
    for (log_prob, value), ret in zip(agent.saved_actions, returns):
        advantage = ret - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, ret.view(1)))
    n = len(agent.rewards)
    entropy = torch.stack(agent.entropies[-n:]).mean()

    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum() - beta * entropy
    loss.backward()
    optimizer.step()

    del agent.rewards[:]
    del agent.saved_actions[:]
    return entropy.item()


running = 0.0
for i_episode in range(300):
    state, done, ep_reward = env.reset(), False, 0.0
    while not done:
        state, reward, done = env.step(agent.act(state))
        agent.rewards.append(reward)
        ep_reward += reward
    running = 0.05 * ep_reward + 0.95 * running
    ent = finish_episode()
    if i_episode % 50 == 0:
        print(f"Episode {i_episode}\tlast {ep_reward:.2f}\taverage {running:.2f}\tentropy {ent:.3f}")
