"""Actor and critic on one encoder; the actor is updated every `policy_delay` steps."""
import copy

import torch
from torch import nn
from torch.nn import functional as F

from nets import Critic, Encoder, Policy


class Agent:
    def __init__(self, obs_dim, act_dim, latent=24, gamma=0.95, tau=0.01, policy_delay=2):
        self.encoder = Encoder(obs_dim, latent)
        self.policy = Policy(latent, act_dim)
        self.critic = Critic(latent, act_dim)
        self.target_encoder = copy.deepcopy(self.encoder).requires_grad_(False)
        self.target_critic = copy.deepcopy(self.critic).requires_grad_(False)
        self.target_policy = copy.deepcopy(self.policy).requires_grad_(False)
        self.critic_opt = torch.optim.Adam(
            list(self.encoder.parameters()) + list(self.critic.parameters()), lr=1e-3)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=5e-4)
        self.gamma = gamma
        self.tau = tau
        self.policy_delay = policy_delay
        self.updates = 0

    @torch.no_grad()
    def act(self, obs, noise):
        a = self.policy(self.encoder(obs))
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    @torch.no_grad()
    def _bootstrap(self, reward, next_obs):
        z = self.target_encoder(next_obs)
        a = self.target_policy(z)
        a = (a + 0.1 * torch.randn_like(a).clamp(-0.3, 0.3)).clamp(-1, 1)
        return reward + self.gamma * torch.min(*self.target_critic(z, a))

    def update(self, obs, action, reward, next_obs):
        """One critic update, followed by a policy update when it is due."""
        self.updates += 1
        target = self._bootstrap(reward, next_obs)
        latent = self.encoder(obs)
        q1, q2 = self.critic(latent, action)
        critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()
        stats = {"critic": critic_loss.item()}

        if self.updates % self.policy_delay == 0:
            stats["policy"] = self._update_policy(latent)  # <- culprit
            self._track_targets()
        return stats

    def _update_policy(self, latent):
        """Deterministic policy gradient on the features of the critic pass."""
        q1, _ = self.critic(latent, self.policy(latent))  # <- culprit
        policy_loss = -q1.mean()
        self.policy_opt.zero_grad()
        policy_loss.backward()  # <- culprit
        self.policy_opt.step()
        return policy_loss.item()

    @torch.no_grad()
    def _track_targets(self):
        pairs = ((self.encoder, self.target_encoder), (self.critic, self.target_critic),
                 (self.policy, self.target_policy))
        for live, target in pairs:
            for p, t in zip(live.parameters(), target.parameters()):
                t.lerp_(p, self.tau)
