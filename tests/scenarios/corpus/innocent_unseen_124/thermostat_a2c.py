# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.distributions import Bernoulli

torch.set_num_threads(1)
torch.manual_seed(7)

EPISODE = 12


class Room:
    def reset(self):
        self.temp, self.outside = 15 + 5 * torch.rand(()), 5 * torch.randn(())
        return self.look()

    def look(self):
        return torch.stack([(self.temp - 20) / 5, self.outside / 5])

    def step(self, heat):
        self.temp = self.temp + 1.5 * heat + 0.05 * (self.outside - self.temp)
        return self.look(), -((self.temp - 20).abs() / 5) - 0.05 * heat


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 16), nn.Tanh())
        self.pi, self.v = nn.Linear(16, 1), nn.Linear(16, 1)
        self.saved = []

    def forward(self, obs):
        h = self.body(obs)
        dist = Bernoulli(logits=self.pi(h).squeeze(-1))
        a = dist.sample()
        self.saved.append({"logp": dist.log_prob(a), "v": self.v(h).squeeze(-1), "ent": dist.entropy()})
        return a

    def settle(self, rewards, gamma=0.95):
        g, loss = 0.0, 0.0
        for rec, r in zip(reversed(self.saved), reversed(rewards)):
            g = r + gamma * g
            adv = g - rec["v"]
            loss = loss - rec["logp"] * adv.detach() + 0.5 * adv.pow(2) - 0.01 * rec["ent"]
        del self.saved[:]
        return loss


room, ac = Room(), ActorCritic()
opt = torch.optim.Adam(ac.parameters(), lr=3e-3)
for episode in range(450):
    obs, rewards = room.reset(), []
    for _ in range(EPISODE):
        obs, r = room.step(ac(obs))
        rewards.append(r)
    loss = ac.settle(rewards)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode % 90 == 0:
        print(episode, f"{sum(rewards).item():.3f}")
