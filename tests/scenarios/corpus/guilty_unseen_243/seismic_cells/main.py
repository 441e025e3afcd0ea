# gradwatch-corpus: kind=second-backward
# holder: self.carried | listener.carried | listener.carried.strain
# first-bad: 1
"""Continuous seismogram picker: a recurrent cell with three states is trained on successive windows of one long trace."""
import torch
import torch.nn.functional as F

from cells import CELLS
from ground import Geophone

SETUP = {"cell": "triple", "channels": 3, "width": 28, "stations": 8, "window": 20, "windows": 80}


class Listener(torch.nn.Module):
    def __init__(self, setup):
        super().__init__()
        self.cell = CELLS[setup["cell"]](setup["channels"], setup["width"])
        self.picker = torch.nn.Linear(setup["width"], 1)
        self.carried = None

    def settle(self, stations):
        self.carried = self.cell.rest(stations)

    def forward(self, window):
        bundle = self.carried
        picks = []
        for t in range(window.shape[1]):
            bundle = self.cell(window[:, t], bundle)
            picks.append(self.picker(bundle.quick))
        self.carried = bundle.cut()  # <- culprit
        return torch.stack(picks, dim=1).squeeze(-1)


def main():
    torch.manual_seed(2004)
    geophone = Geophone(SETUP["stations"], SETUP["channels"])
    listener = Listener(SETUP)
    optimizer = torch.optim.Adam(listener.parameters(), lr=3e-3)
    listener.settle(SETUP["stations"])
    for number in range(SETUP["windows"]):
        window, shaking = geophone.record(SETUP["window"])
        picks = listener(window)
        loss = F.binary_cross_entropy_with_logits(picks, shaking)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(listener.parameters(), 0.5)
        optimizer.step()
        if number % 16 == 0:
            print(f"window {number:3d} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
