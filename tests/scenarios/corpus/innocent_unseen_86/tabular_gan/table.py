import torch


def sample_rows(n):
    age = torch.randn(n) * 0.5
    income = 0.8 * age + 0.3 * torch.randn(n)
    debt = torch.relu(income + 0.4 * torch.randn(n))
    owner = (income + torch.randn(n) * 0.3 > 0).float()
    years = age.abs() + 0.1 * torch.rand(n)
    return torch.stack([age, income, debt, owner, years], 1)
