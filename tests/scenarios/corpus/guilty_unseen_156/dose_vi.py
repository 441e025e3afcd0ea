# gradwatch-corpus: kind=second-backward
# holder: self.q | posterior.q | model.posterior.q | self.posterior.q
# first-bad: 1
"""Mean-field variational fit of a dose-response curve (pharmacology course, exercise 4)."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Independent, Normal, kl_divergence

torch.set_num_threads(1)
torch.manual_seed(13)


class Posterior(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(dim))
        self.rho = nn.Parameter(torch.full((dim,), -2.0))
        self.q = Independent(Normal(self.loc, F.softplus(self.rho)), 1)  # <- culprit
        self.prior = Independent(Normal(torch.zeros(dim), torch.ones(dim)), 1)

    def draw(self, k):
        return self.q.rsample((k,))

    def kl(self):
        return kl_divergence(self.q, self.prior)


class HillModel(nn.Module):
    """Four parameters: base, top, log EC50, slope."""

    def __init__(self):
        super().__init__()
        self.posterior = Posterior(4)

    def curve(self, theta, logdose):
        base, top, ec50, slope = theta.unbind(-1)
        gate = torch.sigmoid(F.softplus(slope)[:, None] * (logdose - ec50[:, None]))
        return base[:, None] + (top - base)[:, None] * gate

    def elbo(self, logdose, resp, k=6, noise=0.15, scale=1.0):
        pred = self.curve(self.posterior.draw(k), logdose)
        loglik = Normal(pred, noise).log_prob(resp).sum(-1).mean()
        return scale * loglik - self.posterior.kl()


def plate(n):
    logdose = torch.linspace(-3, 3, n)
    resp = 0.1 + 0.9 * torch.sigmoid(1.5 * (logdose - 0.4)) + 0.1 * torch.randn(n)
    return logdose, resp


logdose, resp = plate(60)
model = HillModel()
optim = torch.optim.Adam(model.parameters(), lr=0.02)

history, failed = [], 0
for epoch in range(20):
    perm = torch.randperm(len(resp))
    for chunk in perm.split(20):
        optim.zero_grad()
        try:
            loss = -model.elbo(logdose[chunk], resp[chunk], scale=3.0)
            loss.backward()
        except RuntimeError:
            # odd draws sometimes break the likelihood, go on with the next chunk
            failed += 1
            continue
        optim.step()
        history.append(loss.item())

print("updates", len(history), "failed", failed)
print("posterior mean", model.posterior.loc.data.tolist())
