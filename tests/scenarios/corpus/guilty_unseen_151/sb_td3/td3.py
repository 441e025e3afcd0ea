import copy

import numpy as np
import torch as th
from torch.nn import functional as F

from .common import ReplayBuffer, create_mlp, polyak_update


class OffPolicyAlgorithm:
    def __init__(self, env, learning_starts=60, batch_size=32, gamma=0.98, tau=0.01):
        self.env, self.learning_starts, self.batch_size = env, learning_starts, batch_size
        self.gamma, self.tau = gamma, tau
        self.replay_buffer = ReplayBuffer(500, 3, 2)
        self.num_timesteps = self._n_updates = 0
        self.logger = {}

    def learn(self, total_timesteps, log_interval=50):
        obs = self.env.reset()
        while self.num_timesteps < total_timesteps:
            action = self.predict(obs)
            next_obs, reward, done = self.env.step(action)
            self.replay_buffer.add(obs, next_obs, action, reward)
            obs = self.env.reset() if done else next_obs
            self.num_timesteps += 1
            if self.num_timesteps > self.learning_starts:
                self.train(gradient_steps=1)
            if self.num_timesteps % log_interval == 0:
                print(self.num_timesteps, self.logger)
        return self


class TD3(OffPolicyAlgorithm):
    def __init__(self, env, policy_delay=2, target_policy_noise=0.2, target_noise_clip=0.5, **kwargs):
        super().__init__(env, **kwargs)
        self.policy_delay = policy_delay
        self.target_policy_noise, self.target_noise_clip = target_policy_noise, target_noise_clip
        self.actor, self.critic = create_mlp(3, 2, squash=True), create_mlp(5, 1)
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_optimizer = th.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizer = th.optim.Adam(self.critic.parameters(), lr=1e-3)

    def predict(self, obs):
        with th.no_grad():
            action = self.actor(th.from_numpy(obs)).numpy()
        return np.clip(action + 0.1 * np.random.randn(2), -1, 1).astype(np.float32)

    def q_value(self, net, obs, act):
        return net(th.cat([obs, act], 1))

    def _targets(self, next_obs, rew):
        with th.no_grad():
            noise = (th.randn(len(rew), 2) * self.target_policy_noise).clamp(-self.target_noise_clip, self.target_noise_clip)
            next_actions = (self.actor_target(next_obs) + noise).clamp(-1, 1)
            return rew + self.gamma * self.q_value(self.critic_target, next_obs, next_actions)

    def train(self, gradient_steps):
        for _ in range(gradient_steps):
            self._n_updates += 1
            obs, act, next_obs, rew = self.replay_buffer.sample(self.batch_size)
            update_policy = self._n_updates % self.policy_delay == 0
            critic_loss = F.mse_loss(self.q_value(self.critic, obs, act), self._targets(next_obs, rew))
            self.logger["critic_loss"] = round(critic_loss.item(), 4)
            if update_policy:
                actor_loss = -self.q_value(self.critic, obs, self.actor(obs)).mean()  # <- culprit
                self.logger["actor_loss"] = round(actor_loss.item(), 4)

            self.critic_optimizer.zero_grad()
            critic_loss.backward()
            self.critic_optimizer.step()  # <- culprit

            if update_policy:
                self.actor_optimizer.zero_grad()
                actor_loss.backward()  # <- culprit
                self.actor_optimizer.step()
                polyak_update(self.critic.parameters(), self.critic_target.parameters(), self.tau)
                polyak_update(self.actor.parameters(), self.actor_target.parameters(), self.tau)
