# gradwatch-corpus: kind=none
"""Urgency of support tickets from their words.  python -m ticket_triage"""
import torch

from .events import Bus, StepEvent
from .model import TicketNet, tickets
from .record import History, Table


def fit(net, bus, steps):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step, (words, starts, urgency) in enumerate(tickets(steps)):
        logits, gate = net(words, starts)
        terms = net.terms(logits, gate, urgency)
        opt.zero_grad()
        sum(terms.values()).backward()
        opt.step()
        bus.publish(StepEvent(step, logits=logits, target=urgency, **terms))


def main():
    torch.manual_seed(9)
    bus = Bus()
    history = History(defaults={"split": "train"})
    bus.subscribe(history.on_step)
    bus.subscribe(Table(every=20).on_step)
    fit(TicketNet(), bus, steps=100)
    print(history.tail(3))


if __name__ == "__main__":
    main()
