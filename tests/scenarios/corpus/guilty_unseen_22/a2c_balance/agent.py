"""Actor and critic with separate networks, each with its own optimizer."""
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Rollout = namedtuple("Rollout", "obs actions returns")


def net(n_in, n_out, width=48):
    return nn.Sequential(nn.Linear(n_in, width), nn.Tanh(),
                         nn.Linear(width, width), nn.Tanh(),
                         nn.Linear(width, n_out))


class ActorCritic:
    def __init__(self, obs_dim, n_actions, gamma=0.97, entropy=0.01):
        self.pi = net(obs_dim, n_actions)
        self.v = net(obs_dim, 1)
        self.pi_opt = torch.optim.Adam(self.pi.parameters(), lr=2e-3)
        self.v_opt = torch.optim.Adam(self.v.parameters(), lr=4e-3)
        self.gamma = gamma
        self.entropy = entropy

    @torch.no_grad()
    def act(self, obs):
        return Categorical(logits=self.pi(obs)).sample()

    @torch.no_grad()
    def value(self, obs):
        return self.v(obs).squeeze(-1)

    def collect(self, env, obs, horizon):
        seen, taken, rewards, ends = [], [], [], []
        for _ in range(horizon):
            action = self.act(obs)
            nxt, reward, done = env.step(action)
            seen.append(obs)
            taken.append(action)
            rewards.append(reward)
            ends.append(done.float())
            obs = nxt
        running = self.value(obs)
        returns = []
        for reward, end in zip(reversed(rewards), reversed(ends)):
            running = reward + self.gamma * (1 - end) * running
            returns.append(running)
        returns.reverse()
        return obs, Rollout(torch.cat(seen), torch.cat(taken), torch.cat(returns))

    def _policy_loss(self, rollout):
        advantage = rollout.returns - self.value(rollout.obs)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        dist = Categorical(logits=self.pi(rollout.obs))
        entropy = dist.entropy().mean()
        loss = -(dist.log_prob(rollout.actions) * advantage).mean() - self.entropy * entropy
        return loss, entropy.item()

    def _value_loss(self, rollout):
        return nn.functional.smooth_l1_loss(self.v(rollout.obs).squeeze(-1), rollout.returns)

    def _apply(self, loss, module, optimizer, clip=1.0):
        module.zero_grad()  # <- culprit
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(module.parameters(), clip)
        optimizer.step()  # <- culprit
        return loss.item()

    def update(self, rollout):
        loss, entropy = self._policy_loss(rollout)
        pi = self._apply(loss, self.pi, self.pi_opt)
        v = self._apply(self._value_loss(rollout), self.pi, self.v_opt)  # <- culprit
        return {"pi": pi, "v": v, "entropy": entropy}
