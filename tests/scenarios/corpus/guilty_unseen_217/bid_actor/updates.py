from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Schedule:
    actor_every: int
    critic_warmup: int
    gamma: float = 0.5
    noise: float = 0.1

    def actor_due(self, it):
        return it >= self.critic_warmup and it % self.actor_every == 0


class ActorCriticUpdater:
    def __init__(self, policy, critic, schedule):
        self.policy, self.critic, self.sched = policy, critic, schedule
        self.p_opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
        self.c_opt = torch.optim.Adam(critic.parameters(), lr=3e-3)
        self.it = 0

    @torch.no_grad()
    def act(self, obs):
        bid = self.policy(obs)
        return (bid + self.sched.noise * torch.randn_like(bid)).clamp(0, 1)

    def _critic_loss(self, obs, bid, reward, nxt):
        with torch.no_grad():
            target = reward + self.sched.gamma * self.critic(nxt, self.policy(nxt))
        return F.mse_loss(self.critic(obs, bid), target)

    def _policy_loss(self, obs):
        return -self.critic(obs, self.policy(obs)).mean()

    def update(self, obs, bid, reward, nxt):
        c_loss = self._critic_loss(obs, bid, reward, nxt)
        due = self.sched.actor_due(self.it)
        p_loss = self._policy_loss(obs) if due else None  # <- culprit
        self.c_opt.zero_grad()
        c_loss.backward()
        self.c_opt.step()  # <- culprit
        logs = {"critic": c_loss.item()}
        if due:
            self.p_opt.zero_grad()
            p_loss.backward()
            self.p_opt.step()
            logs["policy"] = p_loss.item()
        self.it += 1
        return logs
