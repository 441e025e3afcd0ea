# gradwatch-corpus: kind=none
"""Actor-critic on a one-dimensional lander. The critic learns at every step, the actor
once at the end of the episode from everything that happened in it."""
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(88)


class Lander:
    def reset(self):
        self.h = 5.0 + 3.0 * torch.rand(1).item()
        self.v = 0.0
        self.t = 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.h / 8, self.v, self.t / 60])

    def step(self, action):
        self.v += -0.06 + (0.09 if action == 1 else 0.0)
        self.v = max(-0.8, min(0.5, self.v))
        self.h += self.v
        self.t += 1
        if self.h <= 0:
            return self._obs(), 3.0 - 4.0 * abs(self.v), True
        return self._obs(), -0.03, self.t >= 60


class Episode:
    def __init__(self):
        self.log_probs = []
        self.values = []
        self.td_errors = []
        self.entropies = []
        self.rewards = []

    def actor_loss(self, gamma):
        ret, returns = 0.0, []
        for r in reversed(self.rewards):
            ret = r + gamma * ret
            returns.append(ret)
        returns = torch.tensor(returns[::-1])
        adv = returns - torch.stack(self.values).detach()
        return -(torch.stack(self.log_probs) * adv).mean() - 0.01 * torch.stack(self.entropies).mean()

    def critic_error(self):
        return torch.stack(self.td_errors).pow(2).mean().sqrt().item()


class Agent:
    def __init__(self, gamma=0.97):
        self.actor = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))
        self.critic = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
        self.a_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-2)
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-3)
        self.gamma = gamma
        self.episode = Episode()

    def act(self, obs):
        dist = Categorical(logits=self.actor(obs))
        a = dist.sample()
        self.episode.log_probs.append(dist.log_prob(a))
        self.episode.entropies.append(dist.entropy())
        return int(a)

    def observe(self, obs, reward, nxt, done):
        value = self.critic(obs).squeeze(-1)
        with torch.no_grad():
            target = reward + (0.0 if done else self.gamma * self.critic(nxt).item())
        td = target - value
        self.c_opt.zero_grad()
        (td ** 2).backward()
        self.c_opt.step()
        self.episode.values.append(value)
        self.episode.td_errors.append(td)
        self.episode.rewards.append(reward)

    def finish(self):
        ep, self.episode = self.episode, Episode()
        loss = ep.actor_loss(self.gamma)
        self.a_opt.zero_grad()
        loss.backward()
        self.a_opt.step()
        return sum(ep.rewards), len(ep.rewards), ep.critic_error()


def main():
    env, agent = Lander(), Agent()
    for ep in range(30):
        obs, done = env.reset(), False
        while not done:
            action = agent.act(obs)
            nxt, reward, done = env.step(action)
            agent.observe(obs, reward, nxt, done)
            obs = nxt
        total, steps, err = agent.finish()
        if ep % 3 == 0:
            print(f"episode {ep:2d}  return {total:+.2f}  steps {steps}  td rms {err:.3f}")


if __name__ == "__main__":
    main()
