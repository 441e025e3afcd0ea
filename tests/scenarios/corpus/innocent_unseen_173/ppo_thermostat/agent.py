import torch
import torch.nn as nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, n_obs=3, n_act=3, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.pi, self.v = nn.Linear(width, n_act), nn.Linear(width, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class ClippedUpdate:
    def __init__(self, net, lr=1e-3, clip=0.2, epochs=3, stop_kl=0.05):
        self.net, self.clip, self.epochs, self.stop_kl = net, clip, epochs, stop_kl
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.steps = 0

    def __call__(self, batch):
        adv = (batch.adv - batch.adv.mean()) / (batch.adv.std() + 1e-6)
        for _ in range(self.epochs):
            dist, value = self.net(batch.obs)
            logp = dist.log_prob(batch.act)
            ratio = (logp - batch.logp).exp()
            surrogate = torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
            loss = -surrogate + 0.5 * (value - batch.ret).pow(2).mean() - 0.01 * dist.entropy().mean()
            if (batch.logp - logp).mean() > self.stop_kl:
                break
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
            self.opt.step()
            self.steps += 1
        self.last_loss, self.last_entropy = loss, dist.entropy().mean()
