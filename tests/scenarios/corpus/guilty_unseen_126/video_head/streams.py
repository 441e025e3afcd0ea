import torch


def frames(n, batch=4, dim=20):
    protos = torch.randn(3, dim)
    action = torch.randint(0, 3, (batch,))
    for k in range(n):
        if k % 12 == 0:
            action = torch.randint(0, 3, (batch,))
        yield protos[action] + 0.5 * torch.randn(batch, dim), action
