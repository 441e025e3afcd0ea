import torch
import torch.nn.functional as fn

SIGMA = 1.0 / 4.0
GAMMA = 1.0 / 6.0
WANING = 1.0 / 60.0


def seed_compartments(n_patch):
    comp = torch.zeros(n_patch, 4)
    comp[:, 0] = 0.98
    comp[:, 1] = 0.01
    comp[:, 2] = 0.01
    return comp


def contact_rate(theta, mobility):
    w1, b1, w2, b2 = theta
    h = torch.tanh(mobility @ w1 + b1)
    return fn.softplus(h @ w2 + b2).squeeze(-1)


def gravity(n_patch):
    x = torch.linspace(0.0, 1.0, n_patch)
    k = torch.exp(-8.0 * (x[:, None] - x[None, :]).abs())
    return k / k.sum(1, keepdim=True)


def day(comp, beta, mix):
    s, e, i, r = comp.unbind(-1)
    force = beta * (mix @ i)
    inf = s * (1.0 - torch.exp(-force))
    onset = SIGMA * e
    rec = GAMMA * i
    back = WANING * r
    nxt = torch.stack([s - inf + back, e + inf - onset, i + onset - rec, r + rec - back], -1)
    return nxt, onset


class Rollout:
    """Carries the compartments of every patch from one week to the next."""

    def __init__(self, comp, theta):
        self.comp = comp
        self.theta = theta
        self.mix = gravity(comp.shape[0])

    def advance_week(self, mobility):
        beta = contact_rate(self.theta, mobility)
        comp = self.comp  # <- culprit
        incidence = torch.zeros(comp.shape[0])
        for _ in range(7):
            comp, onset = day(comp, beta, self.mix)
            incidence = incidence + onset
        self.comp = comp  # <- culprit
        return incidence

    def susceptible_share(self):
        return self.comp[:, 0].mean().item()
