import torch


def weekly_frame(n):
    plan = torch.randint(0, 4, (n,))
    usage = torch.randn(n, 6)
    logit = 1.2 * usage[:, 0] - 0.7 * usage[:, 3] + 0.4 * (plan == 2).float() - 0.3
    left = (torch.sigmoid(logit) > torch.rand(n)).float()
    return {"plan": plan, "usage": usage, "left": left}
