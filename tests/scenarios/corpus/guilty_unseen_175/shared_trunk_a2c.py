# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Advantage actor-critic on a batch of cart-like balancing tasks, with one trunk for both heads."""
import torch
from torch import nn
from torch.distributions import Categorical


class BalanceBatch:
    """Vectorised unstable first-order balancing; action 0/1 pushes left/right."""

    def __init__(self, n, gen):
        self.n, self.gen = n, gen
        self.x = self._start(n)

    def _start(self, n):
        return 0.2 * torch.randn(n, 2, generator=self.gen)

    def step(self, action):
        push = action.float() * 2 - 1
        vel = self.x[:, 1] + 0.1 * (1.5 * self.x[:, 0] + push)
        pos = self.x[:, 0] + 0.1 * vel
        done = pos.abs() > 1.0
        self.x = torch.stack([pos, vel], 1)
        self.x = torch.where(done[:, None], self._start(self.n), self.x)
        return self.x, 1.0 - pos.abs(), done


class ActorCritic(nn.Module):
    def __init__(self, obs=2, hidden=32, actions=2):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)


class A2C:
    def __init__(self, env, net, gamma=0.97, lr=2e-3, ent=0.01):
        self.env, self.net = env, net
        self.gamma, self.ent = gamma, ent
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def bootstrap(self, obs):
        with torch.no_grad():
            return self.net.v(self.net.trunk(obs)).squeeze(-1)

    def update(self):
        obs = self.env.x
        z = self.net.trunk(obs)  # <- culprit
        policy = Categorical(logits=self.net.pi(z))
        action = policy.sample()
        nxt, reward, done = self.env.step(action)
        target = reward + self.gamma * self.bootstrap(nxt) * (~done).float()
        value = self.net.v(z).squeeze(-1)
        advantage = (target - value).detach()

        self.opt.zero_grad()
        critic_loss = (target - value).pow(2).mean()
        critic_loss.backward()  # <- culprit
        actor_loss = -(policy.log_prob(action) * advantage).mean() - self.ent * policy.entropy().mean()
        actor_loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        return reward.mean().item()


def main():
    torch.manual_seed(8)
    env = BalanceBatch(32, torch.Generator().manual_seed(8))
    agent = A2C(env, ActorCritic())
    ema = 0.0
    for it in range(500):
        ema = 0.97 * ema + 0.03 * agent.update()
        if it % 100 == 0:
            print(it, round(ema, 4))


if __name__ == "__main__":
    main()
