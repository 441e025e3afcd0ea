import torch


def expert(obs):
    position, velocity, bias = obs[:, :3], obs[:, 3:6], obs[:, 6:]
    return -1.2 * position - 0.8 * velocity + 0.1 * bias.sum(1, keepdim=True)


def demonstrations(count, batch):
    for _ in range(count):
        obs = torch.randn(batch, 8)
        yield obs, expert(obs) + 0.05 * torch.randn(batch, 3)
