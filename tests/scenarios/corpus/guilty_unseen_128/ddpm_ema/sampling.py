import torch


def ancestral(net, betas, abar, n, dim):
    x = torch.randn(n, dim)
    for i in reversed(range(len(betas))):
        eps = net(x, torch.full((n,), i))
        x = (x - betas[i] / (1 - abar[i]).sqrt() * eps) / (1 - betas[i]).sqrt()
        if i:
            x = x + betas[i].sqrt() * torch.randn_like(x)
    return x


def preview_grid(shadow, net, betas, abar, rows):
    out = []
    for _ in range(rows):
        with shadow as averaged:
            out.append(ancestral(averaged, betas, abar, n=3, dim=8))
    return torch.stack(out)
