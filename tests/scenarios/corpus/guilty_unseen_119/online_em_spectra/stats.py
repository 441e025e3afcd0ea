import torch


def batch_stats(R, x):
    n = R.mean(0)
    sx = R.T @ x / len(x)
    sxx = R.T @ (x * x) / len(x)
    return {'n': n, 'x': sx, 'xx': sxx}


class SuffStats:
    """Robbins-Monro average of the sufficient statistics."""

    def __init__(self, K, D, gamma, burn_in):
        self.gamma, self.burn_in = gamma, burn_in
        self.S = {'n': torch.full((K,), 1.0 / K), 'x': torch.zeros(K, D), 'xx': torch.ones(K, D)}

    def rate(self, it):
        return (it - self.burn_in + 2.0) ** (-self.gamma)

    def blend(self, it, R, x):
        s = batch_stats(R, x)
        if it < self.burn_in:
            return s
        a = self.rate(it)
        self.S = {k: torch.lerp(self.S[k], s[k], a) for k in s} if it > self.burn_in else s  # <- culprit
        return self.S


def mstep(S):
    n = S['n'].clamp_min(1e-4)
    mu = S['x'] / n[:, None]
    var = (S['xx'] / n[:, None] - mu ** 2).clamp_min(0.02)
    return n / n.sum(), mu, var


def expected_ll(x, R, pi, mu, var):
    d = x[:, None, :] - mu[None]
    q = -0.5 * (d ** 2 / var + var.log()).sum(-1)
    return (R * (q + pi.log())).sum(1).mean()
