# gradwatch-corpus: kind=none
"""BYOL-style representation learning on toy sensor windows."""
import torch

from .history import History
from .networks import BYOL
from .sensors import sensor_windows, view


def main(steps=450, batch=32):
    torch.manual_seed(91)
    data, kind = sensor_windows(600)
    byol = BYOL(32, 24)
    opt = torch.optim.AdamW(byol.online_parameters(), lr=2e-3)
    hist = History(keep=10)
    for step in range(steps):
        x = data[torch.randint(0, len(data), (batch,))]
        loss, z = byol(view(x), view(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        byol.update_target()
        hist.record(step, loss=loss, std=z.std(0).mean())
        hist.keep_embedding(z)
        if step % 75 == 0:
            print(f"step {step} {hist.summary()} rank {hist.effective_rank():.2f}")


if __name__ == "__main__":
    main()
