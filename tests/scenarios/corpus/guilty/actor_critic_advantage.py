# gradwatch-corpus: kind=second-backward
# holder: advantage | value | values
# notice: 1
# about: the advantage carries the critic's graph into the actor's loss
import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic:
    def __init__(self, n_obs=4, n_act=3):
        self.actor = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.critic = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def update(self, obs, reward, next_obs, gamma=0.99):
        dist = Categorical(logits=self.actor(obs))
        action = dist.sample()
        value = self.critic(obs).squeeze(1)
        with torch.no_grad():
            target = reward(action) + gamma * self.critic(next_obs).squeeze(1)
        advantage = target - value  # <- culprit

        critic_loss = advantage.pow(2).mean()
        self.critic_opt.zero_grad()
        critic_loss.backward()  # <- culprit
        self.critic_opt.step()

        actor_loss = -(dist.log_prob(action) * advantage).mean()  # <- culprit
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()


def main():
    torch.manual_seed(0)
    agent = ActorCritic()
    obs = torch.randn(16, 4)
    for _ in range(60):
        next_obs = obs + 0.1 * torch.randn_like(obs)
        agent.update(obs, lambda action: (action == 1).float(), next_obs)
        obs = next_obs


if __name__ == "__main__":
    main()
