# gradwatch-corpus: kind=none
import torch
from torch import nn

from engine import Engine
from transits import Shard


def vetting_net(c=12):
    return nn.Sequential(
        nn.Conv1d(1, c, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(c, 2 * c, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(2 * c, 2 * c, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool1d(6),
        nn.Flatten(), nn.Linear(12 * c, 24), nn.ReLU(), nn.Linear(24, 1),
    )


def main(epochs=6):
    torch.manual_seed(33)
    shard = Shard(416, seed=33)
    model = vetting_net()
    engine = Engine(model, torch.optim.Adam(model.parameters(), 3e-3))
    for ep in range(epochs):
        for x, y in shard.micro(16):
            engine.micro_step(x, y)
        mean, auc = engine.end_epoch()
        print(f"epoch {ep} bce {mean:.3f} auc {auc:.3f}")


if __name__ == "__main__":
    main()
