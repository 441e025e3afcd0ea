# gradwatch-corpus: kind=graph-chain
# holder: belief.mean | self.mean | agent.belief.mean | self.belief.mean
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
from torch import nn

ARMS = 4


class Belief:
    """Running latent summary of everything seen so far."""

    def __init__(self, dim, rate=0.1):
        self.mean = torch.zeros(dim)
        self.rate = rate

    def absorb(self, z):
        self.mean = self.mean + self.rate * (z - self.mean)  # <- culprit
        return self.mean


class Agent:
    def __init__(self, dim=5):
        self.encoder = nn.Sequential(nn.Linear(ARMS + 1, 16), nn.Tanh(), nn.Linear(16, dim))
        self.decoder = nn.Linear(dim + ARMS, 1)
        self.policy = nn.Sequential(nn.Linear(dim, 16), nn.Tanh(), nn.Linear(16, ARMS))
        self.belief = Belief(dim)
        self.opt = torch.optim.Adam([*self.encoder.parameters(), *self.decoder.parameters(), *self.policy.parameters()], lr=3e-3)
        self.baseline = 0.0

    def update(self, means, pulls=12):
        actions = torch.randint(0, ARMS, (pulls,))
        onehot = torch.eye(ARMS)[actions]
        rewards = means[actions] + 0.1 * torch.randn(pulls)
        z = self.encoder(torch.cat([onehot, rewards[:, None]], 1)).mean(0)
        recon = self.decoder(torch.cat([z.expand(pulls, -1), onehot], 1)).squeeze(1)
        recon_loss = ((recon - rewards) ** 2).mean()
        ctx = self.belief.absorb(z)

        dist = torch.distributions.Categorical(logits=self.policy(ctx))
        picked = dist.sample((8,))
        gain = means[picked]
        pg_loss = -(dist.log_prob(picked) * (gain - self.baseline)).mean() - 0.01 * dist.entropy()
        self.baseline = 0.95 * self.baseline + 0.05 * gain.mean().item()

        self.opt.zero_grad()
        pg_loss.backward(inputs=list(self.policy.parameters()))
        recon_loss.backward()
        self.opt.step()
        return gain.mean().item()


torch.manual_seed(2)
agent = Agent()
payoff = torch.rand(ARMS)
for k in range(500):
    if k % 25 == 0:
        payoff = torch.rand(ARMS)
    got = agent.update(payoff)
    if k % 100 == 0:
        print(k, round(got, 3))
