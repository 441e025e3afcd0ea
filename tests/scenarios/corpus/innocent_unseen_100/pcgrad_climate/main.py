# gradwatch-corpus: kind=none
import torch

from climate.balancers import make_balancer
from climate.heads import MultiHead
from climate.stations import StationFeed
from climate.workbench import Workbench


def main():
    torch.set_num_threads(1)
    torch.manual_seed(404)
    model = MultiHead(n_in=14, width=28, tasks=("rain", "temp", "wind"))
    bench = Workbench(model, make_balancer("pcgrad"), lr=3e-3)
    feed = StationFeed(14, model.tasks)
    for n, batch in enumerate(feed.take(320, size=32)):
        report = bench.iterate(batch)
        if n % 80 == 0:
            print(n, report)
    print("conflicts per step %.2f" % bench.balancer.conflict_rate())


if __name__ == "__main__":
    main()
