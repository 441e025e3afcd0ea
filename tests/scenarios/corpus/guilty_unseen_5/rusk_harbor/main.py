# gradwatch-corpus: kind=graph-held
# holder: self.pages[e.port] | self.pages | book.pages
# first-bad: 1
"""Berth demand forecasts for a handful of ports; reporting runs on its own threads."""
from contextlib import closing, ExitStack

import torch
import torch.nn.functional as F

import bus as ev
from listeners import SeasonBook, Ticker
from model import PORTS, BerthDemand, Logbook

SETTINGS = {"seed": 17, "batches": 300, "season": 1000, "lr": 3e-3, "every": 50}


class Harbor:
    def __init__(self, settings, bus):
        self.s, self.bus = settings, bus
        self.model = BerthDemand()
        self.opt = torch.optim.RMSprop(self.model.parameters(), lr=settings["lr"])
        self.log = Logbook(settings["seed"])

    def batch(self, number):
        arrivals, need, which = self.log.draw(number)
        guess = self.model(arrivals, which)
        wrong = F.smooth_l1_loss(guess, need)
        self.opt.zero_grad()
        wrong.backward()
        self.opt.step()
        self.bus.publish(ev.BatchDone(number, PORTS[which], wrong.item(), guess))  # <- culprit

    def work(self):
        for number in range(self.s["batches"]):
            self.batch(number)
            if (number + 1) % self.s["season"] == 0:
                self.bus.publish(ev.SeasonOver(number // self.s["season"]))
        self.bus.publish(ev.SeasonOver(number // self.s["season"]))


def main():
    torch.manual_seed(SETTINGS["seed"])
    bus = ev.Bus()
    with ExitStack() as shut:
        book, ticker = SeasonBook(), Ticker(SETTINGS["every"])
        for listener in (book, ticker):
            bus.join(listener, ev.BatchDone)
            listener.start()
            shut.enter_context(closing(listener))
        bus.join(book, ev.SeasonOver)
        Harbor(SETTINGS, bus).work()
    for (season, port), mean in sorted(book.summary.items()):
        print(season, port, round(mean, 3))


if __name__ == "__main__":
    main()
