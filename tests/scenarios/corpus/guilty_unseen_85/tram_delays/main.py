# gradwatch-corpus: kind=second-backward
# holder: acc.recent | self.recent
# first-bad: 15
# notice: 0
"""Tram delay forecasts, gradients taken over four batches at a time."""
import torch

from accumulate import Accumulator
from city import Timetable
from nets import DelayNet

torch.set_num_threads(1)
torch.manual_seed(2024)

EPOCHS = 12


def main():
    table = Timetable(lines=9, days=62)
    net = DelayNet(table.n_features, lines=9)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    acc = Accumulator(opt, every=4)
    for epoch in range(EPOCHS):
        total = n = 0
        for lines, feats, delay in table.batches(epoch):
            mu, log_b = net(lines, feats)
            # Laplace likelihood, late trams have heavy tails
            loss = ((delay - mu).abs() * torch.exp(-log_b) + log_b).mean()
            acc.add(loss)
            total, n = total + loss.item(), n + 1
        acc.finish()
        print(f"epoch {epoch} nll {total / n:.4f} steps {acc.steps}")


if __name__ == "__main__":
    main()
