# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from fare import FareNet, sailings
from guard import Guard


def main():
    torch.manual_seed(13)
    net = FareNet()
    guard = Guard(torch.optim.Adam(net.parameters(), lr=3e-3), backoff=0.5, recover=1.05)
    for trip in sailings(1300):
        with guard:
            guard.drive(net.cost(trip))
    print(guard)


if __name__ == "__main__":
    main()
