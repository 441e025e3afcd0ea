# gradwatch-corpus: kind=graph-chain
# notice: 8
# holder: belief | waiting.queue[0] | waiting | self.waiting.queue[0] | self.waiting | tower.waiting
# first-bad: 3
"""Learning process and measurement noise of a round-robin radar tracker (three aircraft in turn)."""
import torch

from filters import NoiseModel
from tower import Tower


def main():
    torch.manual_seed(1066)
    noise = NoiseModel()
    tower = Tower(noise, aircraft=3)
    adam = torch.optim.Adam(noise.parameters(), lr=0.02)
    for sweep in range(210):
        surprise, plane = tower.sweep()
        adam.zero_grad()
        surprise.backward(retain_graph=True)  # <- culprit
        adam.step()
        if sweep % 42 == 0:
            q, r = noise()
            print(f"sweep {sweep:3d} plane {plane} nll {surprise.item():+.3f} q {q.item():.3f} r {r.item():.3f}")


if __name__ == "__main__":
    main()
