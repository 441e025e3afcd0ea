# gradwatch-corpus: kind=graph-held
# holder: self._known[key] | bank._known | self.bank._known | desk.bank._known
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(404)

from .desk import Desk


def main():
    desk = Desk(n_regions=9)
    for day in range(360):
        err = desk.trade(day)
        if day % 90 == 0:
            print("day", day, "error", f"{err:.4f}", "neighbour", f"{desk.similar_day(day):.3f}")


main()
