import torch


def windows(batch, n_inputs, n_rooms, count, steps=4, seed=2):
    g = torch.Generator().manual_seed(seed)
    mix = torch.randn(n_inputs, n_rooms, generator=g) * 0.3
    temp = torch.zeros(batch, n_rooms)
    for _ in range(count):
        x = torch.rand(batch, steps, n_inputs, generator=g)
        rows = []
        for t in range(steps):
            temp = 0.8 * temp + x[:, t] @ mix
            rows.append(temp)
        yield x, torch.stack(rows, dim=1)
