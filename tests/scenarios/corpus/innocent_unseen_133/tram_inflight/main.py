# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from depot import Depot
from inflight import Pipeline


def rush_hours(n):
    for k in range(n):
        hour = torch.rand(12, 1) * 24
        line = torch.randint(0, 2, (12, 1)).float()
        yield torch.cat([hour / 24, line], 1), (hour / 24 * 6.28).sin() * (1 + line)


def main():
    torch.manual_seed(29)
    depot = Depot([2, 14, 1])
    pipe = Pipeline(depot, depth_plan=[(0, 1), (150, 3), (450, 6)])
    for x, y in rush_hours(1100):
        pipe.push(x, y)
    pipe.drain()
    print(len(pipe.delays), max(pipe.delays), pipe.recent())


main()
