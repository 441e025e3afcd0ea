import torch


@torch.no_grad()
def outbreak(theta, days=30, population=1000.0):
    """Stochastic SIR, one trajectory for each row of theta (log beta, log gamma)."""
    beta = theta[:, 0].exp().clamp(max=2.0)
    gamma = theta[:, 1].exp().clamp(max=0.9)
    s = torch.full_like(beta, population - 5)
    i = torch.full_like(beta, 5.0)
    daily = []
    for _ in range(days):
        mean_new = beta * s * i / population
        new = (mean_new + mean_new.sqrt() * torch.randn_like(mean_new)).clamp(min=0)
        new = torch.minimum(new, s)
        s = s - new
        i = (i + new - gamma * i).clamp(min=0)
        daily.append(new)
    return torch.stack(daily, dim=1).log1p()
