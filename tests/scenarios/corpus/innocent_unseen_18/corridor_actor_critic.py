# gradwatch-corpus: kind=none
"""Episodic actor-critic in a corridor with a key: log-probs and values are saved while acting and used once the
episode is over. Written for the RL reading group."""
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

SavedAction = namedtuple('SavedAction', ['log_prob', 'value', 'entropy'])


class KeyCorridor:
    """Walk left for the key, then right to the door."""
    length = 5

    def reset(self, rng):
        self.at, self.key, self.t = rng.randrange(1, self.length), False, 0
        return self.state()

    def state(self):
        v = torch.zeros(self.length + 1)
        v[self.at] = 1
        v[-1] = float(self.key)
        return v

    def step(self, a):
        self.at = min(max(self.at + (1 if a else -1), 0), self.length - 1)
        self.t += 1
        r = -0.02
        if self.at == 0 and not self.key:
            self.key, r = True, 0.3
        if self.at == self.length - 1 and self.key:
            return self.state(), 1.0, True
        return self.state(), r, self.t >= 14


class Policy(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.core = nn.GRUCell(d, 24)
        self.action_head = nn.Linear(24, 2)
        self.value_head = nn.Linear(24, 1)
        self.saved_actions = []
        self.rewards = []
        self.hidden = None

    def begin(self):
        self.hidden = torch.zeros(1, 24)

    def forward(self, x):
        self.hidden = self.core(x[None], self.hidden)
        return self.action_head(self.hidden), self.value_head(self.hidden)

    def select_action(self, state):
        logits, value = self(state)
        logp = logits.log_softmax(-1).squeeze(0)
        action = int(torch.multinomial(logp.detach().exp(), 1))
        self.saved_actions.append(SavedAction(logp[action], value.squeeze(), -(logp.exp() * logp).sum()))
        return action

    def clear(self):
        del self.saved_actions[:]
        del self.rewards[:]


def discounted(rewards, gamma=0.97):
    R, out = 0.0, []
    for r in reversed(rewards):
        R = r + gamma * R
        out.append(R)
    out.reverse()
    return torch.tensor(out)


def finish_episode(model, optimizer, baseline):
    returns = discounted(model.rewards)
    returns = (returns - baseline['mean']) / (baseline['std'] + 1e-3)
    policy_loss, value_loss, entropy = 0, 0, 0
    for (log_prob, value, ent), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_loss = policy_loss - log_prob * advantage
        value_loss = value_loss + F.smooth_l1_loss(value, R)
        entropy = entropy + ent
    n = len(model.rewards)
    loss = (policy_loss + 0.5 * value_loss - 0.02 * entropy) / n
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    raw = discounted(model.rewards)
    baseline['mean'] += 0.02 * (raw.mean().item() - baseline['mean'])
    baseline['std'] += 0.02 * (raw.std(unbiased=False).item() - baseline['std'])
    model.clear()
    return loss.item()


def main(episodes=300):
    torch.manual_seed(6)
    rng = random.Random(6)
    env = KeyCorridor()
    model = Policy(env.length + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    baseline = {'mean': 0.0, 'std': 1.0}
    running = 0.0
    for i_episode in range(episodes):
        state, total, done = env.reset(rng), 0.0, False
        model.begin()
        while not done:
            state, reward, done = env.step(model.select_action(state))
            model.rewards.append(reward)
            total += reward
        loss = finish_episode(model, optimizer, baseline)
        running = 0.05 * total + 0.95 * running
        if i_episode % 50 == 0:
            print('Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}\tloss {:.3f}'.format(
                i_episode, total, running, loss))


if __name__ == '__main__':
    main()
