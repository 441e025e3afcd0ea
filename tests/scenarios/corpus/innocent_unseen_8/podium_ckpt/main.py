# gradwatch-corpus: kind=none
# about: deep copies of the model are pushed at every step, but the heap is cut to the best five and the newest three; the rest goes away
"""Energy-load forecaster with an in-memory checkpoint podium and weight averaging of its members at the end."""
from __future__ import annotations

import torch
import torch.nn.functional as F

from load import LoadNet, household_windows
from podium import Podium


def main() -> None:
    torch.manual_seed(29)
    net = LoadNet()
    opt = torch.optim.Adam(net.parameters(), lr=1.5e-3)
    podium = Podium(best=5, newest=3)
    windows = household_windows(48)
    held = next(windows)
    for step in range(300):
        past, ahead = next(windows)
        loss = F.smooth_l1_loss(net(past), ahead)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.inference_mode():
            score = F.l1_loss(net(held[0]), held[1])
        podium.enter(step, score, {"net": net.state_dict(), "opt": opt.state_dict()})
        if step % 60 == 0:
            print(f"step {step:3d} loss {loss.item():.4f} held-out {score.item():.4f} kept {podium.steps()}")
    net.load_state_dict(podium.averaged("net"))
    with torch.inference_mode():
        print("averaged members", round(F.l1_loss(net(held[0]), held[1]).item(), 4))


if __name__ == "__main__":
    main()
