import torch


def scada_stream(batch):
    mixing = torch.randn(8)
    while True:
        x = torch.randn(batch, 8)
        wind = (x @ mixing).abs() / 3
        yield x, wind.clamp(max=2.0) + 0.05 * torch.randn(batch)
