import torch
from torch import nn
from torch.distributions import Bernoulli


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 16), nn.Tanh())
        self.run, self.worth = nn.Linear(16, 1), nn.Linear(16, 1)

    def forward(self, obs):
        z = self.body(obs)
        return Bernoulli(logits=self.run(z).squeeze()), self.worth(z).squeeze()


class EpisodeTape:
    def __init__(self):
        self.logp, self.value, self.entropy, self.reward = [], [], [], []

    def record(self, logp, value, entropy, reward):
        for store, item in zip((self.logp, self.value, self.entropy, self.reward), (logp, value, entropy, reward)):
            store.append(item)

    def total_reward(self):
        return sum(self.reward)

    def objective(self, gamma=0.9):
        g, rets = 0.0, []
        for r in reversed(self.reward):
            g = r + gamma * g
            rets.insert(0, g)
        rets, values = torch.tensor(rets), torch.stack(self.value)
        adv = (rets - values).detach()
        return -(torch.stack(self.logp) * adv).sum() + 0.5 * (rets - values).square().sum() - 0.01 * sum(self.entropy)

    def rewind(self):
        for store in (self.logp, self.value, self.entropy, self.reward):
            store.clear()
