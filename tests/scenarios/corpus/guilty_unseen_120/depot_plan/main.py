# gradwatch-corpus: kind=graph-held
# holder: self.rejected | desk.rejected | self.rejected[-1].__traceback__ | desk.rejected[-1].__traceback__
# first-bad: 7
# notice: 8
import random

import torch

torch.set_num_threads(1)

from dispatch import Desk
from loadmodel import LoadSplitter


def main():
    random.seed(3)
    torch.manual_seed(3)
    model = LoadSplitter(n_trucks=4)
    desk = Desk(model, lr=0.01, capacity=1.15)
    for day in range(320):
        km = desk.day(day)
        if day % 80 == 79:
            print(f"day {day}: {km:.2f} km per parcel, {len(desk.rejected)} plans sent back")
    print("last reasons:")
    for err in desk.rejected[-3:]:
        print("  ", err)


if __name__ == "__main__":
    main()
