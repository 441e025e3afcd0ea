import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


def cut(state):
    """Let numbers through to the next chunk, not gradients."""
    h, c, z = state
    return h.detach(), c, z.detach()  # <- culprit


class WorldModel(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden, latent):
        super().__init__()
        self.hidden, self.latent = hidden, latent
        self.core = nn.LSTMCell(latent + act_dim, hidden)
        self.prior = nn.Linear(hidden, 2 * latent)
        self.post = nn.Sequential(nn.Linear(hidden + obs_dim, hidden), nn.ELU(), nn.Linear(hidden, 2 * latent))
        self.decode = nn.Sequential(nn.Linear(hidden + latent, hidden), nn.ELU(), nn.Linear(hidden, obs_dim))
        self.reward = nn.Linear(hidden + latent, 1)
        self.carry = None

    def forget(self):
        self.carry = None

    def blank(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden), torch.zeros(n, self.latent)

    @staticmethod
    def gaussian(params):
        mean, raw = params.chunk(2, -1)
        return Normal(mean, nn.functional.softplus(raw) + 0.1)

    def learn_from(self, obs, act, rew):
        state = self.carry if self.carry is not None else self.blank(obs.shape[1])
        out = {"recon": 0.0, "reward": 0.0, "kl": 0.0}
        steps = len(obs)
        for o, a, r in zip(obs, act, rew):
            h, c, z = state
            h, c = self.core(torch.cat([z, a], -1), (h, c))
            prior = self.gaussian(self.prior(h))
            post = self.gaussian(self.post(torch.cat([h, o], -1)))
            z = post.rsample()
            feat = torch.cat([h, z], -1)
            out["recon"] = out["recon"] + (self.decode(feat) - o).pow(2).mean() / steps
            out["reward"] = out["reward"] + (self.reward(feat).squeeze(-1) - r).pow(2).mean() / steps
            out["kl"] = out["kl"] + kl_divergence(post, prior).sum(-1).clamp(min=0.5).mean() / steps
            state = (h, c, z)
        self.carry = cut(state)
        return out
