"""Policy-gradient agent; the graph built while acting is used for the update."""
import torch
import torch.nn.functional as F
from torch import nn

from .buffer import EpisodeBuffer


class LanderAgent:
    def __init__(self, n_obs, n_actions, gamma=0.97, width=24):
        self.trunk = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh())
        self.pi, self.v = nn.Linear(width, n_actions), nn.Linear(width, 1)
        self.gamma, self.baseline = gamma, 0.0
        self.memory = EpisodeBuffer()
        self.opt_actor = torch.optim.Adam([*self.trunk.parameters(), *self.pi.parameters()], lr=3e-3)
        self.opt_critic = torch.optim.Adam(self.v.parameters(), lr=5e-3)

    def act(self, obs):
        h = self.trunk(obs)
        dist = torch.distributions.Categorical(logits=self.pi(h))
        action = dist.sample()
        self.memory.add(dist.log_prob(action), self.v(h).squeeze(-1), dist.entropy())
        return action.item()

    def rewarded(self, reward):
        self.memory.rewards.append(reward)

    def _returns(self):
        ret, out = 0.0, []
        for r in reversed(self.memory.rewards):
            ret = r + self.gamma * ret
            out.append(ret)
        return torch.tensor(out[::-1])

    def finish_episode(self):
        returns, values = self._returns(), torch.stack(self.memory.values)
        advantage = returns - values.detach()
        actor = -(torch.stack(self.memory.log_probs) * advantage).sum() \
            - 0.01 * torch.stack(self.memory.entropies).sum()
        critic = F.smooth_l1_loss(values, returns, reduction="sum")
        self.opt_actor.zero_grad()
        self.opt_critic.zero_grad()
        actor.backward(retain_graph=True)
        critic.backward()
        self.opt_actor.step()
        self.opt_critic.step()
        self.baseline += 0.05 * (returns[0].item() - self.baseline)
        self.memory.clear()
