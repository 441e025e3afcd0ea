import torch


def load_prices(n, seed):
    g = torch.Generator().manual_seed(seed)
    returns = 0.0004 + 0.01 * torch.randn(n, generator=g)
    season = 3 * torch.sin(torch.arange(n) / 30.0)
    return 100 * torch.exp(torch.cumsum(returns, 0)) + season


def scale(prices):
    lo = prices.min()
    hi = prices.max()
    return (prices - lo) / (hi - lo), lo.item(), hi.item()


def sequential_batches(series, look_back, batch_size):
    """Cut the series in batch_size parallel streams and walk along them (stateful, Keras style)."""
    per_stream = len(series) // batch_size
    streams = series[:per_stream * batch_size].view(batch_size, per_stream)
    batches = []
    for start in range(0, per_stream - look_back - 1, 4):
        x = streams[:, start:start + look_back].unsqueeze(-1)
        y = streams[:, start + look_back].unsqueeze(-1)
        batches.append((x, y))
    return batches
