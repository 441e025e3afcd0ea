import torch

COVARIATES = ["age", "stage", "grade", "size", "nodes", "er", "pr", "her2", "ki67", "bmi"]


def make_cohort(n, gen):
    x = torch.randn(n, len(COVARIATES), generator=gen)
    beta = torch.linspace(-0.8, 0.8, len(COVARIATES))
    risk = x @ beta + 0.5 * x[:, 0] * x[:, 1]
    u = torch.rand(n, generator=gen).clamp(min=1e-4)
    time = -torch.log(u) * torch.exp(-risk)
    censor = torch.rand(n, generator=gen) * 3
    event = (time <= censor).float()
    return x, torch.minimum(time, censor), event
