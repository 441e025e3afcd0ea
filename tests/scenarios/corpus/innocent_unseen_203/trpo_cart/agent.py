import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class Agent:
    def __init__(self, max_kl=0.01, damping=0.1):
        self.mu = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.zeros(1))
        self.value = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.vopt = torch.optim.Adam(self.value.parameters(), lr=5e-3)
        self.max_kl, self.damping = max_kl, damping
        self.params = [*self.mu.parameters(), self.log_std]

    def dist(self, s):
        return Normal(self.mu(s), self.log_std.exp())

    def fit_value(self, obs, ret, passes=4):
        for _ in range(passes):
            loss = (self.value(obs).squeeze(1) - ret).pow(2).mean()
            self.vopt.zero_grad()
            loss.backward()
            self.vopt.step()
        return loss.item()

    def surrogate(self, obs, act, logp, adv):
        return ((self.dist(obs).log_prob(act).sum(-1) - logp).exp() * adv).mean()

    def update_policy(self, obs, act, logp, ret):
        with torch.no_grad():
            adv = ret - self.value(obs).squeeze(1)
            adv = (adv - adv.mean()) / (adv.std() + 1e-6)
            d = self.dist(obs)
            old = Normal(d.loc.clone(), d.scale.clone())
        before = self.surrogate(obs, act, logp, adv)
        g = parameters_to_vector(torch.autograd.grad(before, self.params))
        kl = kl_divergence(old, self.dist(obs)).sum(-1).mean()
        kl_grad = parameters_to_vector(torch.autograd.grad(kl, self.params, create_graph=True))

        def fisher(v):
            hv = torch.autograd.grad(kl_grad @ v, self.params, retain_graph=True)
            return parameters_to_vector(hv) + self.damping * v

        direction = self.conjugate_gradient(fisher, g)
        scale = torch.sqrt(2 * self.max_kl / (direction @ fisher(direction) + 1e-8))
        return self.line_search(scale * direction, before.item(), obs, act, logp, adv, old)

    @staticmethod
    def conjugate_gradient(matvec, b, iters=6):
        x, r = torch.zeros_like(b), b.clone()
        p, rs = r.clone(), r @ r
        for _ in range(iters):
            ap = matvec(p)
            alpha = rs / (p @ ap + 1e-10)
            x += alpha * p
            r -= alpha * ap
            new = r @ r
            if new < 1e-10:
                break
            p, rs = r + new / rs * p, new
        return x

    @torch.no_grad()
    def line_search(self, full, before, obs, act, logp, adv, old):
        start = parameters_to_vector(self.params).clone()
        for k in range(8):
            vector_to_parameters(start + 0.6 ** k * full, self.params)
            kl = kl_divergence(old, self.dist(obs)).sum(-1).mean().item()
            gain = self.surrogate(obs, act, logp, adv).item() - before
            if gain > 0 and kl < 1.5 * self.max_kl:
                return kl, gain
        vector_to_parameters(start, self.params)
        return 0.0, 0.0
