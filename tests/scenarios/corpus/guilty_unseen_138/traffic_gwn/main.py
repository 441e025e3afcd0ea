# gradwatch-corpus: kind=second-backward
# holder: self._adp | model.graph._adp | self.graph._adp | adp | net.graph._adp
# first-bad: 1
# notice: 0
"""Traffic speed forecasting with a self-learned sensor graph."""
import torch

torch.set_num_threads(1)
torch.manual_seed(17)

from data import sensor_series, sliding
from models import GraphWaveLite


def masked_mae(pred, true):
    mask = (true > 0.05).float()
    return ((pred - true).abs() * mask).sum() / mask.sum().clamp(min=1)


def main():
    series = sensor_series(nodes=9, steps=700)
    net = GraphWaveLite(nodes=9, t_in=8, t_out=3, channels=10)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    for epoch in range(5):
        net.train()
        tot, n = 0.0, 0
        for x, y in sliding(series, 8, 3, batch=10):
            loss = masked_mae(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, n = tot + loss.item(), n + 1
        print(f"epoch {epoch} train mae {tot / n:.4f}")


if __name__ == "__main__":
    main()
