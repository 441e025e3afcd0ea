import torch


def make_cohort(n, features, sites):
    x = torch.randn(n, features)
    site = torch.randint(0, sites, (n,))
    beta = torch.linspace(-1, 1, features)
    rate = torch.exp(0.5 * (x @ beta) + 0.1 * site)
    time = torch.distributions.Exponential(rate).sample()
    censor = torch.distributions.Exponential(torch.full((n,), 0.4)).sample()
    event = (time <= censor).float()
    return {"x": x, "site": site, "time": torch.minimum(time, censor), "event": event}


def draw(cohort, site, size, gen):
    pool = torch.nonzero(cohort["site"] == site).flatten()
    pick = pool[torch.randint(0, len(pool), (size,), generator=gen)]
    return cohort["x"][pick], cohort["time"][pick], cohort["event"][pick]
