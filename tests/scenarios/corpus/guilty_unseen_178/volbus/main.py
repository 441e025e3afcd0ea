# gradwatch-corpus: kind=graph-held
# holder: self.timeline | journal.timeline | event.payload["qlike"]
# first-bad: 1
import torch

from events import EventBus
from journal import Journal, ProgressPrinter
from model import VolForecaster
from market import ReturnSimulator
from runner import Runner


def main():
    torch.manual_seed(77)
    bus = EventBus()
    journal = Journal(topics=("fit", "epoch")).attach(bus)
    ProgressPrinter(every=3).attach(bus)
    runner = Runner(VolForecaster(lags=20), bus, lr=2e-3)
    runner.run(ReturnSimulator(lags=20), epochs=9, per_epoch=60)
    print("events", len(journal.timeline), "epochs", journal.count("epoch"))


if __name__ == "__main__":
    main()
