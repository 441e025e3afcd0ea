import torch

TASKS = ("depth", "material", "pose")


def sample(task, n=24):
    x = torch.randn(n, 10)
    if task == "depth":
        return x, x[:, :3].sum(1, keepdim=True).tanh()
    if task == "material":
        return x, (x[:, 3] + x[:, 4] > 0).long()
    return x, torch.stack([x[:, 5] * 0.5, x[:, 6].sin()], 1)
