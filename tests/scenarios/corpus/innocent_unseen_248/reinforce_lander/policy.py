import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

eps = 1e-6


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(3, 48)
        self.action_head = nn.Linear(48, 2)
        self.value_head = nn.Linear(48, 1)
        self.saved_log_probs = []
        self.saved_values = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x).squeeze(-1)


def select_action(policy, state):
    probs, value = policy(torch.tensor(state, dtype=torch.float32))
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    policy.saved_values.append(value)
    return action.item()


def finish_episode(policy, optimizer, gamma):
    R = 0
    returns = []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    values = torch.stack(policy.saved_values)
    advantages = returns - values.detach()
    advantages = (advantages - advantages.mean()) / (advantages.std() + eps)

    policy_losses = []
    for log_prob, adv in zip(policy.saved_log_probs, advantages):
        policy_losses.append(-log_prob * adv)
    loss = torch.stack(policy_losses).sum() + 0.5 * F.smooth_l1_loss(values, returns, reduction="sum")

    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 10.0)
    optimizer.step()

    del policy.rewards[:]
    del policy.saved_log_probs[:]
    del policy.saved_values[:]
    return loss.item()
