import torch


def hourly(chunks, length):
    stores = torch.tensor([0.0, 0.0])
    share, rate = torch.tensor([0.6, 0.4]), torch.tensor([0.5, 0.05])
    for _ in range(chunks):
        rain = torch.rand(length) * (torch.rand(length) > 0.6)
        flow = []
        for r in rain:
            stores = stores + share * r
            out = rate * stores
            stores = stores - out
            flow.append(out.sum())
        yield rain, torch.stack(flow)
