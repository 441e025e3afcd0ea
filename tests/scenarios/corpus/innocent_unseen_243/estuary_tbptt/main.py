# gradwatch-corpus: kind=none
"""Salinity in an estuary: a three-reservoir recurrent model trained by truncated backpropagation along one endless record."""
import torch

from reservoirs import Reservoirs
from sonde import Sonde
from tuner import Tuner

PARAMS = {
    "forcings": 4,
    "width": 20,
    "reaches": 5,
    "stretch": 12,
    "stretches": 90,
    "reset_every": 30,
    "lr": 4e-3,
}


def main():
    torch.manual_seed(9)
    sonde = Sonde(PARAMS["forcings"], PARAMS["reaches"])
    model = Reservoirs(PARAMS["forcings"], PARAMS["width"])
    tuner = Tuner(model.parameters(), lr=PARAMS["lr"])
    levels = model.dry(PARAMS["reaches"])
    for stretch in range(PARAMS["stretches"]):
        if stretch % PARAMS["reset_every"] == 0:
            levels = model.dry(PARAMS["reaches"])
        total = 0.0
        for _ in range(PARAMS["stretch"]):
            forcing, salt = sonde.read()
            guess, levels = model(forcing, levels)
            total = total + (guess - salt).pow(2).mean()
        total = total / PARAMS["stretch"]
        tuner.zero_grad()
        total.backward()
        tuner.step()
        levels = {name: level.detach() for name, level in levels.items()}
        if stretch % 15 == 0:
            print(f"stretch {stretch:3d} error {total.item():.4f}")


if __name__ == "__main__":
    main()
