# gradwatch-corpus: kind=none
import torch

from bus import Bus, Ledger
from learner import BidLearner


def main():
    torch.manual_seed(71)
    bus = Bus()
    ledger = Ledger(bus, flush_every=50)
    learner = BidLearner(bus, accumulate=4)
    gen = torch.Generator().manual_seed(72)
    truth = torch.randn(20, generator=gen)
    for step in range(480):
        x = torch.randn(32, 20, generator=gen)
        learner.micro_step(step, x, (x @ truth * 0.3).exp().log1p())
    print("totals", [round(t, 3) for t in ledger.totals])


if __name__ == "__main__":
    main()
