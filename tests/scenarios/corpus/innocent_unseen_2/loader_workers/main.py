# gradwatch-corpus: kind=none
"""DataLoader with worker processes, an epoch-long list of losses, a plateau scheduler."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from torch import nn
from torch.utils.data import DataLoader
from sets import Spirals, collate


def main():
    torch.manual_seed(28)
    dl = DataLoader(Spirals(640), batch_size=32, shuffle=True, num_workers=1, collate_fn=collate, persistent_workers=True)
    net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 3))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=2)
    for ep in range(6):
        epoch = []
        for x, y in dl:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            epoch.append(loss.detach())
        mean = torch.stack(epoch).mean().item()
        sched.step(mean)
        print(ep, "%.4f" % mean)


if __name__ == "__main__":
    main()
