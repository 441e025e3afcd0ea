import torch


def traffic(nodes: int, length: int, seed: int) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    mix = torch.softmax(3 * torch.randn(nodes, nodes, generator=g), -1)
    x = torch.randn(nodes, generator=g)
    rows = []
    for t in range(length):
        wave = 0.3 * torch.sin(torch.arange(nodes) + 0.2 * t)
        x = 0.9 * mix @ x + wave + 0.05 * torch.randn(nodes, generator=g)
        rows.append(x)
    return torch.stack(rows, 1)


def windows(series: torch.Tensor, lags: int, batch: int, gen: torch.Generator):
    while True:
        at = torch.randint(0, series.shape[1] - lags - 1, (batch,), generator=gen)
        idx = at[:, None] + torch.arange(lags + 1)
        block = series[:, idx].transpose(0, 1)
        yield block[..., :-1], block[..., -1]
