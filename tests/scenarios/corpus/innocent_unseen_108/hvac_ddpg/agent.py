import copy

import torch
from torch import nn


class Body(nn.Module):
    def __init__(self, obs=4, code=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(obs, code), nn.Tanh())
        self.policy = nn.Sequential(nn.Linear(code, 24), nn.ReLU(), nn.Linear(24, 1), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(code + 1, 24), nn.ReLU(), nn.Linear(24, 1))

    def q(self, code, action):
        return self.critic(torch.cat([code, action], -1)).squeeze(-1)


class Agent:
    def __init__(self, gamma=0.9, tau=0.02):
        self.body = Body()
        self.slow = copy.deepcopy(self.body).requires_grad_(False)
        self.gamma, self.tau = gamma, tau
        self.opt = torch.optim.Adam(self.body.parameters(), lr=2e-3)
        self.seen = {}
        self.losses = {}
        self.body.encoder.register_forward_hook(self._keep_code)

    def _keep_code(self, module, args, out):
        self.seen["code"] = out

    def code_size(self):
        return self.seen["code"].abs().mean().item()

    def explore(self, obs, sigma):
        a = self.body.policy(self.body.encoder(obs))
        a = a + sigma * torch.randn_like(a)
        return a.clamp(-1, 1).detach()

    def learn(self, tr):
        with torch.no_grad():
            code = self.slow.encoder(tr.nxt)
            goal = tr.reward + self.gamma * self.slow.q(code, self.slow.policy(code))
        code = self.body.encoder(tr.obs)
        critic = (self.body.q(code, tr.action) - goal).square().mean()
        actor = -self.body.q(code, self.body.policy(code)).mean()

        # one encoder pass, two losses: the critic's own gradient must not see the actor's
        self.opt.zero_grad()
        actor.backward(retain_graph=True)
        for p in self.body.critic.parameters():
            p.grad = None
        critic.backward()
        self.opt.step()
        self._blend()
        self.losses.update(critic=critic.item(), actor=actor.item())

    @torch.no_grad()
    def _blend(self):
        for s, p in zip(self.slow.parameters(), self.body.parameters()):
            s.lerp_(p, self.tau)
