import torch


def kiln(length, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length, dtype=torch.float32)
    ramp = torch.sin(t / 60).clamp(min=-0.3)
    noise = torch.randn(length, generator=g).cumsum(0) * 0.01
    return ramp + noise + 0.05 * torch.randn(length, generator=g)


def sample(data, history, horizon, batch):
    start = torch.randint(0, len(data) - history - horizon, (batch,))
    idx = start[:, None] + torch.arange(history + horizon)
    window = data[idx]
    return window[:, :history], window[:, history:]
