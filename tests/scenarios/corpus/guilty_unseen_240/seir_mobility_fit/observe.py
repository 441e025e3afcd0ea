import torch

from epidemic import day, gravity

POP = 20000.0


def case_loglik(expected, cases, dispersion=30.0):
    mu = 0.4 * POP * expected + 1e-3
    dist = torch.distributions.NegativeBinomial(dispersion, logits=torch.log(mu / dispersion))
    return dist.log_prob(cases).mean()


def surveillance(n_patch, comp, weeks):
    mix = gravity(n_patch)
    for w in range(weeks):
        season = torch.sin(torch.tensor(w / 8.0))
        mobility = torch.randn(n_patch, 3) * 0.3 + season
        beta = 0.35 + 0.1 * torch.tanh(mobility[:, 0])
        inc = torch.zeros(n_patch)
        for _ in range(7):
            comp, onset = day(comp, beta, mix)
            inc = inc + onset
        yield mobility, torch.poisson(0.4 * POP * inc)
