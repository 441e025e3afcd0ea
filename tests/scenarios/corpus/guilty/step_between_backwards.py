# gradwatch-corpus: kind=inplace-modified
# notice: 1
# about: both losses first, then backward and step one after the other: the critic has moved on
import torch
import torch.nn as nn
import torch.nn.functional as F


class DDPG:
    def __init__(self, n_obs=5, n_act=2):
        self.actor = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(n_obs + n_act, 32), nn.ReLU(), nn.Linear(32, 1))
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-4)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def q(self, obs, act):
        return self.critic(torch.cat([obs, act], dim=1)).squeeze(1)

    def update(self, obs, act, reward, next_obs):
        with torch.no_grad():
            target = reward + 0.99 * self.q(next_obs, self.actor(next_obs))
        critic_loss = F.mse_loss(self.q(obs, act), target)
        actor_loss = -self.q(obs, self.actor(obs)).mean()  # <- culprit

        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()  # <- culprit

        self.actor_optimizer.zero_grad()
        actor_loss.backward()  # <- culprit
        self.actor_optimizer.step()


def main():
    torch.manual_seed(0)
    agent = DDPG()
    for _ in range(60):
        obs, act = torch.randn(16, 5), torch.rand(16, 2) * 2 - 1
        reward = -(act - obs[:, :2]).norm(dim=1)
        agent.update(obs, act, reward, obs + 0.1 * torch.randn(16, 5))


if __name__ == "__main__":
    main()
