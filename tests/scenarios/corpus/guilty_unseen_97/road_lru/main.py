# gradwatch-corpus: kind=second-backward
# holder: self.propagator | roads.propagator | self.propagator(district) | transition | one | self.caches | self.caches[obj] | RoadModel.propagator.caches
# first-bad: 4
# notice: 0
"""Traffic-speed diffusion over city districts with learned link conductances."""
import torch

from network import RoadModel
from traffic import district_hours


def main():
    torch.set_num_threads(1)
    torch.manual_seed(61)
    roads = RoadModel(districts=26, junctions=9)
    opt = torch.optim.Adam(roads.parameters(), lr=1e-2)
    for it, (district, now, later) in enumerate(district_hours(steps=400)):
        guess = roads(district, now)
        loss = (guess - later).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"{it:4d} district {district:2d} mae {loss.item():.4f}")


if __name__ == "__main__":
    main()
