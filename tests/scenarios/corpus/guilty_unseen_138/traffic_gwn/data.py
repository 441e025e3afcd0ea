import torch


def sensor_series(nodes, steps):
    t = torch.arange(steps).float()[:, None]
    phase = torch.rand(1, nodes) * 3
    base = 0.6 + 0.3 * torch.sin(t / 24 * 6.28 + phase)
    return (base + 0.05 * torch.randn(steps, nodes)).clamp(0, 1)


def sliding(series, t_in, t_out, batch):
    starts = torch.randperm(len(series) - t_in - t_out)
    for chunk in starts.split(batch):
        x = torch.stack([series[s:s + t_in].t() for s in chunk])
        y = torch.stack([series[s + t_in:s + t_in + t_out].t() for s in chunk])
        yield x, y
