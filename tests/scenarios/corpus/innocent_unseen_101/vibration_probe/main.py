# gradwatch-corpus: kind=none
"""Remaining-life regression for bearings; from time to time a probe session looks at the layers."""
import torch
from torch.nn.functional import mse_loss

from data import Bearings
from net import WaveNetLite
from probes import ProbeSession

WINDOW, PAUSE, CYCLES = 26, 18, 9


def update(model, opt, batch):
    x, y = batch
    loss = mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(60)
    data = Bearings(seed=61)
    model = WaveNetLite(channels=10)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for cycle in range(CYCLES):
        for _ in range(PAUSE):
            update(model, opt, data.batch())
        with ProbeSession(model, match="block") as probe:
            losses = [update(model, opt, data.batch()) for _ in range(WINDOW)]
        dead = {name: f"{s.dead:.2f}" for name, s in probe.summary.items()}
        drift = max(s.drift for s in probe.summary.values())
        print(f"cycle {cycle} loss {sum(losses) / WINDOW:.4f} dead {dead} drift {drift:+.3f}")


if __name__ == "__main__":
    main()
