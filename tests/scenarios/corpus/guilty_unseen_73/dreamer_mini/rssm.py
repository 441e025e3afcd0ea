import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence


def _normal(stats):
    mean, raw = stats.chunk(2, -1)
    return Normal(mean, nn.functional.softplus(raw) + 0.1)


def _sg(d):
    return Normal(d.loc.detach(), d.scale.detach())


def kl_balance(post, prior, free, alpha=0.8):
    """Per-step KL, the prior trained faster than the posterior."""
    lhs = kl_divergence(_sg(post), prior).sum(-1).mean()
    rhs = kl_divergence(post, _sg(prior)).sum(-1).mean()
    return alpha * lhs.clamp(min=free) + (1 - alpha) * rhs.clamp(min=free)


class RSSM(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, s = cfg["deter"], cfg["stoch"]
        self.d, self.s = d, s
        self.pre = nn.Linear(s + cfg["act"], d)
        self.gru = nn.GRUCell(d, d)
        self.prior_net = nn.Linear(d, 2 * s)
        self.post_net = nn.Linear(d + cfg["obs"], 2 * s)

    def _advance(self, h, z, a):
        h = self.gru(torch.relu(self.pre(torch.cat([z, a], -1))), h)
        return h, _normal(self.prior_net(h))

    def observe(self, obs, act):
        B, T = obs.shape[:2]
        h, z = obs.new_zeros(B, self.d), obs.new_zeros(B, self.s)
        prev = torch.cat([torch.zeros_like(act[:, :1]), act[:, :-1]], 1)
        feats, posts, priors = [], [], []
        for t in range(T):
            h, prior = self._advance(h, z, prev[:, t])
            post = _normal(self.post_net(torch.cat([h, obs[:, t]], -1)))
            z = post.rsample()
            feats.append(torch.cat([h, z], -1))
            posts.append(post)
            priors.append(prior)

        def pack(ds):
            return Normal(torch.stack([d.loc for d in ds], 1), torch.stack([d.scale for d in ds], 1))

        return torch.stack(feats, 1), pack(posts), pack(priors)

    def imagine(self, actor, feat, horizon):
        h, z = feat.split([self.d, self.s], -1)
        out = [feat]
        for _ in range(horizon):
            a = torch.tanh(actor(out[-1]))
            h, prior = self._advance(h, z, a)
            z = prior.rsample()
            out.append(torch.cat([h, z], -1))
        return torch.stack(out)
