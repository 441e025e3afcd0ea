import torch
from torch import nn
from torch.distributions import Categorical

from buffer import RolloutBuffer


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.pi = nn.Linear(32, n_actions)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class PPOAgent:
    def __init__(self, obs_dim, n_actions, clip=0.2):
        self.net = ActorCritic(obs_dim, n_actions)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.buffer = RolloutBuffer()
        self.clip = clip

    def collect(self, env, obs, horizon):
        self.buffer.clear()
        for _ in range(horizon):
            dist, value = self.net(obs)  # <- culprit
            action = dist.sample()
            nxt, reward = env.step(action)
            self.buffer.add(obs, action, dist.log_prob(action).detach(), reward, value)  # <- culprit
            obs = nxt
        with torch.no_grad():
            _, self.last_value = self.net(obs)
        return obs

    def update(self, epochs):
        batch = self.buffer.finish(self.last_value)
        for _ in range(epochs):
            dist, value = self.net(batch["obs"])
            ratio = (dist.log_prob(batch["act"]) - batch["logp"]).exp()
            clipped = ratio.clamp(1 - self.clip, 1 + self.clip)
            pi_loss = -torch.min(ratio * batch["adv"], clipped * batch["adv"]).mean()
            v_loss = nn.functional.mse_loss(value, batch["ret"])
            loss = pi_loss + 0.5 * v_loss - 0.01 * dist.entropy().mean()
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
            self.opt.step()
        reward = torch.stack(self.buffer.rewards).mean().item()
        return {"reward": reward, "pi": pi_loss.item(), "v": v_loss.item()}
