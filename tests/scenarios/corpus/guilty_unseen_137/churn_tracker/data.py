import torch


def make_customers(n):
    num = torch.randn(n, 7)
    plan = torch.randint(0, 6, (n,))
    risk = num[:, 0] - 0.5 * num[:, 3] + 0.3 * plan.float() - 1.0
    return num, plan, (torch.rand(n) < torch.sigmoid(risk)).float()
