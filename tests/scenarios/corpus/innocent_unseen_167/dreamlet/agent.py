import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence


def mlp(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.ELU(), nn.Linear(h, o))


class RSSM(nn.Module):
    def __init__(self, obs, act, deter=24, stoch=6):
        super().__init__()
        self.deter, self.stoch = deter, stoch
        self.inp, self.gru = nn.Linear(stoch + act, deter), nn.GRUCell(deter, deter)
        self.prior, self.post = mlp(deter, 2 * stoch), mlp(deter + obs, 2 * stoch)
        self.decoder, self.reward = mlp(deter + stoch, obs), mlp(deter + stoch, 1)

    def dist(self, stats):
        mean, std = stats.chunk(2, -1)
        return Normal(mean, F.softplus(std) + 0.1)

    def initial(self, n):
        return torch.zeros(n, self.deter), torch.zeros(n, self.stoch)

    def imagine_step(self, h, s, a):
        h = self.gru(F.elu(self.inp(torch.cat([s, a], -1))), h)
        prior = self.dist(self.prior(h))
        return h, prior, prior.rsample()

    def observe_step(self, h, s, a, obs):
        h, prior, _ = self.imagine_step(h, s, a)
        post = self.dist(self.post(torch.cat([h, obs], -1)))
        return h, prior, post, post.rsample()


class Dreamer:
    horizon, gamma, lam = 6, 0.95, 0.9

    def __init__(self, obs, act):
        self.act_dim = act
        self.model = RSSM(obs, act)
        feat = self.model.deter + self.model.stoch
        self.actor, self.value = mlp(feat, 2 * act), mlp(feat, 1)
        self.opts = [torch.optim.Adam(m.parameters(), lr=lr)
                     for m, lr in ((self.model, 2e-3), (self.actor, 1e-3), (self.value, 1e-3))]
        self.belief_reset()

    def belief_reset(self):
        self.belief = (*self.model.initial(1), torch.zeros(1, self.act_dim))

    def policy(self, feat):
        mean, std = self.actor(feat).chunk(2, -1)
        return torch.tanh(Normal(mean, F.softplus(std) + 0.1).rsample())

    @torch.no_grad()
    def act(self, obs, belief):
        h, s, a = belief
        h, _, _, s = self.model.observe_step(h, s, a, obs.unsqueeze(0))
        a = self.policy(torch.cat([h, s], -1))
        return a[0], (h, s, a)

    def apply(self, opt, loss):
        opt.zero_grad()
        loss.backward()
        for g in opt.param_groups:
            nn.utils.clip_grad_norm_(g["params"], 10.0)
        opt.step()

    def update(self, obs, act, rew):
        h, s = self.model.initial(obs.size(1))
        prev, feats, kls = torch.zeros_like(act[0]), [], []
        for t in range(len(obs)):
            h, prior, post, s = self.model.observe_step(h, s, prev, obs[t])
            feats.append(torch.cat([h, s], -1))
            kls.append(kl_divergence(post, prior).sum(-1))
            prev = act[t]
        feats = torch.stack(feats)
        model_loss = (F.mse_loss(self.model.decoder(feats), obs) + F.mse_loss(self.model.reward(feats).squeeze(-1), rew)
                      + 0.1 * torch.stack(kls).clamp(min=0.5).mean())
        self.apply(self.opts[0], model_loss)

        start = feats.detach().flatten(0, 1)
        frozen = [*self.model.parameters(), *self.value.parameters()]
        for p in frozen:
            p.requires_grad_(False)
        h, s = start.split([self.model.deter, self.model.stoch], -1)
        imagined = []
        for _ in range(self.horizon):
            a = self.policy(torch.cat([h, s], -1).detach())
            h, _, s = self.model.imagine_step(h, s, a)
            imagined.append(torch.cat([h, s], -1))
        imagined = torch.stack(imagined)
        reward, value = self.model.reward(imagined).squeeze(-1), self.value(imagined).squeeze(-1)
        last, returns = value[-1], []
        for t in reversed(range(self.horizon - 1)):
            last = reward[t] + self.gamma * ((1 - self.lam) * value[t + 1] + self.lam * last)
            returns.insert(0, last)
        returns = torch.stack(returns)
        self.apply(self.opts[1], -returns.mean())
        for p in frozen:
            p.requires_grad_(True)
        pred = self.value(imagined[:-1].detach()).squeeze(-1)
        value_loss = F.mse_loss(pred, returns.detach())
        self.apply(self.opts[2], value_loss)
        return {"model": model_loss.item(), "actor": -returns.mean().item(), "value": value_loss.item()}
