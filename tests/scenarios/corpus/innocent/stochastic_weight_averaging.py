# gradwatch-corpus: kind=none
# about: SWA and snapshots: copies of the weights pile up, five at most; cyclic learning rate,
# about: batch norm statistics renewed over the data at the end of each cycle
import copy

import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn


class Snapshots:
    def __init__(self, keep=5):
        self.keep, self.states = keep, []

    def take(self, score, model):
        self.states.append((score, copy.deepcopy(model.state_dict())))
        self.states.sort(key=lambda pair: pair[0])
        del self.states[self.keep :]


def main():
    torch.manual_seed(0)
    x, y = classes(640)
    loader = list(zip(x.split(32), y.split(32)))
    model = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    swa_model = AveragedModel(model)
    swa_scheduler = SWALR(optimizer, swa_lr=0.05, anneal_epochs=2)
    snapshots, criterion = Snapshots(), nn.CrossEntropyLoss()
    for epoch in range(ITERATIONS // 20):
        total = 0.0
        for xb, yb in loader:
            loss = criterion(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch >= 3:
            swa_model.update_parameters(model)
            swa_scheduler.step()
            update_bn(loader, swa_model)
        snapshots.take(total / len(loader), model)
        with torch.no_grad():
            right = (swa_model(x).argmax(1) == y).float().mean().item()
        print(
            f"epoch {epoch}: {total / len(loader):.6f}, averaged {right:.4f}, "
            f"{len(snapshots.states)} snapshots"
        )


if __name__ == "__main__":
    main()
