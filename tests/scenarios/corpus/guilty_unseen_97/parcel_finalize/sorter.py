import torch
from torch import nn

from ledger import booked


def build_sorter():
    net = nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(54, 16), nn.ReLU(), nn.Linear(16, 3),
    )
    return net, torch.optim.RMSprop(net.parameters(), lr=1e-3)


@booked
def fit_parcels(net, opt, parcels):
    loss = nn.functional.cross_entropy(net(parcels.shots), parcels.labels, label_smoothing=0.05)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss  # <- culprit
