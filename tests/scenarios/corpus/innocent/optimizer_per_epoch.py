# gradwatch-corpus: kind=none
# about: a new optimizer and scheduler every epoch, the old ones kept in a list for the record;
# about: layers are unfrozen one after another, so each has other parameters
import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS


class GradualUnfreezing:
    def __init__(self):
        self.layers = nn.ModuleList([nn.Linear(16, 24), nn.Linear(24, 24), nn.Linear(24, 4)])
        self.optimizers = []

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)

    def start_epoch(self, epoch):
        first = max(0, len(self.layers) - 1 - epoch // 2)
        for i, layer in enumerate(self.layers):
            layer.requires_grad_(i >= first)
        trained = [p for p in self.layers.parameters() if p.requires_grad]
        optimizer = torch.optim.Adam(trained, lr=3e-3 * 0.9**epoch)
        self.optimizers.append(optimizer)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=16)
        return optimizer, schedule


def main():
    torch.manual_seed(0)
    x, y = classes(512)
    run = GradualUnfreezing()
    for epoch in range(ITERATIONS // 16):
        optimizer, schedule = run.start_epoch(epoch)
        running_loss = 0.0
        for rows in torch.randperm(len(x)).split(32):
            loss = nn.functional.cross_entropy(run.forward(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            running_loss += loss.item()
        print(f"epoch {epoch}: {running_loss / 16:.6f}, {len(run.optimizers)} optimizers so far")


if __name__ == "__main__":
    main()
