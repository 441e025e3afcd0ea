# gradwatch-corpus: kind=graph-held
# holder: self.chunks | window.chunks | meter.chunks | self.meters[name].chunks | book.meters[name].chunks | book.meters['pinball'].chunks | book.meters['total'].chunks | book.meters['crossing'].chunks
# first-bad: 1
# notice: 8
"""Multi-horizon temperature forecast for a ceramic kiln (GRU + quantile loss)."""
import torch

import series
from book import MeterBook
from model import QuantileGRU, pinball

CFG = dict(hidden=20, horizon=4, history=16, batch=16, steps=280, lr=4e-3, quantiles=(0.1, 0.5, 0.9))


def run(cfg):
    torch.manual_seed(8)
    data = series.kiln(length=3000, seed=5)
    net = QuantileGRU(cfg["hidden"], cfg["horizon"], cfg["quantiles"])
    optimizer = torch.optim.RMSprop(net.parameters(), lr=cfg["lr"])
    book = MeterBook(["pinball", "crossing", "total"], every=6)

    for step in range(cfg["steps"]):
        past, future = series.sample(data, cfg["history"], cfg["horizon"], cfg["batch"])
        q = net(past)
        fit = pinball(q, future, cfg["quantiles"])
        crossing = torch.relu(q[..., :-1] - q[..., 1:]).mean()
        total = fit + 0.5 * crossing
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        book.push(pinball=fit, crossing=crossing, total=total)
        if step % 70 == 69:
            print(step + 1, book.latest())

    print("\nsummary")
    for name, values in book.curves().items():
        print(f"{name:9s} first {values[0]:.4f}  last {values[-1]:.4f}  windows {len(values)}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    run(CFG)
