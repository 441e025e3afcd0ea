# gradwatch-corpus: kind=none
import torch

from .model import Forecaster
from .state import carried


def series(n=8, length=2600, seed=6):
    gen = torch.Generator().manual_seed(seed)
    phase = 6.28 * torch.rand(n, 1, generator=gen)
    t = torch.arange(length) * 0.15
    wave = torch.sin(t + phase) + 0.5 * torch.sin(2.3 * t + phase)
    return (wave + 0.05 * torch.randn(n, length, generator=gen)).unsqueeze(-1)


def chunks(data, span):
    for s in range(0, data.shape[1] - span, span):
        yield data[:, s:s + span], data[:, s + 1:s + span + 1]


def main(span=6):
    torch.manual_seed(0)
    model = Forecaster(hidden=24)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    state, smooth = None, None
    for it, (x, y) in enumerate(chunks(series(), span)):
        pred, state = model(x, carried(state))
        loss = (pred - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.detach() if smooth is None else 0.95 * smooth + 0.05 * loss.detach()
        if it % 60 == 0:
            print(it, f"{smooth.item():.4f}")


main()
