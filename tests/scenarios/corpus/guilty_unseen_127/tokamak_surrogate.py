# gradwatch-corpus: kind=graph-held
# holder: acc | running_mean.acc
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(1979)


def running_mean():
    """Coroutine: send a value, get back the mean of everything sent so far."""
    acc, n = 0.0, 0
    out = None
    while True:
        value = yield out
        n += 1
        acc = acc + value  # <- culprit
        out = acc / n


def shots(total, batch=16):
    for _ in range(total):
        coil = torch.rand(batch, 5) * 2 - 1
        flux = torch.stack([coil[:, 0] * coil[:, 1], coil[:, 2:].sum(1).sin()], 1)
        yield coil, flux


class Surrogate(torch.nn.Module):
    def __init__(self, hidden=14):
        super().__init__()
        self.a = torch.nn.Parameter(torch.randn(5, hidden) * 0.4)
        self.b = torch.nn.Parameter(torch.randn(hidden, 2) * 0.4)

    def forward(self, coil):
        return torch.einsum("bh,ho->bo", torch.sin(coil @ self.a), self.b)


model = Surrogate()
optimizer = torch.optim.NAdam(model.parameters(), lr=5e-3)
meter = running_mean()
next(meter)

for shot, (coil, flux) in enumerate(shots(500)):
    optimizer.zero_grad(set_to_none=True)
    residual = model(coil) - flux
    chi2 = residual.pow(2).sum(1).mean()
    chi2.backward()
    optimizer.step()
    mean_so_far = meter.send(chi2)
    if shot % 125 == 0:
        print(f"shot {shot:4d}  chi2 {chi2.item():.4f}  mean {mean_so_far.item():.4f}")
