# gradwatch-corpus: kind=none
"""FedProx over a fleet of vibration sensors."""
import torch

torch.set_num_threads(1)

from fleet import Fleet, Sensor

if __name__ == "__main__":
    torch.manual_seed(48)
    fleet = Fleet([Sensor(torch.randn(6) * 0.3 + 1.0, 40) for _ in range(5)])
    history = []
    for rnd in range(24):
        history.append(fleet.round())
        if rnd % 6 == 0:
            print(rnd, f"{history[-1]:.4f}")
