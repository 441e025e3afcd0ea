# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from model import Forecaster
from carry import StateCarrier

HORIZON = 400
CHUNK = 8
LANES = 6


def load(seed=2):
    g = torch.Generator().manual_seed(seed)
    n = HORIZON * CHUNK + 1
    t = torch.arange(n).float()
    base = torch.stack([torch.sin(t * (0.05 + 0.02 * i)) for i in range(LANES)])
    return base + 0.3 * torch.randn(LANES, n, generator=g).cumsum(1).sub_(0).div(20)


def main():
    torch.manual_seed(2)
    series = load()
    model = Forecaster()
    carrier = StateCarrier(reset_every=60)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    running = None
    for c in range(HORIZON):
        x = series[:, c * CHUNK:(c + 1) * CHUNK].unsqueeze(-1)
        y = series[:, c * CHUNK + 1:(c + 1) * CHUNK + 1]
        pred, state = model(x, carrier.get())
        carrier.put(state)
        tail = carrier.drift()
        loss = F.mse_loss(pred, y) + 1e-3 * tail
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        carrier.commit()
        running = loss.detach() if running is None else 0.95 * running + 0.05 * loss.detach()
        if c % 80 == 0:
            print(f"chunk {c} running {running:.4f} tail {tail.item():.4f}")
    print("states kept:", len(carrier.archive))


if __name__ == "__main__":
    main()
