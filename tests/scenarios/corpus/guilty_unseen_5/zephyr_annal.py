# gradwatch-corpus: kind=memory-climb
# holder: self.slots | podium.slots | self.podium.slots | c.podium.slots | self.callbacks[1].podium.slots | session.callbacks[1].podium.slots
# first-bad: 1
"""Wind power forecast from a ring of weather masts; the three best sets of weights are averaged at the end."""
import abc
import heapq
import itertools
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F


class Callback(abc.ABC):
    def on_validated(self, session, score):
        """After a validation."""

    def on_finish(self, session):
        """Once, at the end."""


@dataclass(order=True)
class Entry:
    score: float
    serial: int
    weights: dict = field(compare=False, repr=False)


class Podium:
    """The best few of what was offered."""

    def __init__(self, places):
        self.places = places
        self.slots = []
        self._serial = itertools.count()

    def offer(self, score, weights):
        heapq.heappush(self.slots, Entry(score, next(self._serial), weights))  # <- culprit
        return heapq.nsmallest(self.places, self.slots)

    @property
    def winners(self):
        return heapq.nsmallest(self.places, self.slots)


def portrait(module):
    return {k: v.detach().clone() for k, v in module.state_dict().items()}


class Soup(Callback):
    def __init__(self, places=3):
        self.podium = Podium(places)

    def on_validated(self, session, score):
        self.podium.offer(score, portrait(session.net))

    def on_finish(self, session):
        best = [e.weights for e in self.podium.winners]
        session.net.load_state_dict({k: torch.stack([w[k] for w in best]).mean(0) for k in best[0]})


class Printer(Callback):
    def __init__(self, every):
        self.every, self.best = every, float("inf")

    def on_validated(self, session, score):
        self.best = min(self.best, score)
        if session.done % self.every == 0:
            print(f"{session.done:4d}  hold-out {score:.4f}  best {self.best:.4f}")


class Masts:
    """Masts around a turbine; the power follows the wind of some hours ago, with a cut-out."""

    def __init__(self, seed, masts=18, hours=12):
        self.gen = torch.Generator().manual_seed(seed)
        self.masts, self.hours = masts, hours
        self.lag = torch.randint(1, hours, (masts,), generator=self.gen)

    def draw(self, many):
        wind = torch.randn(many, self.masts, self.hours, generator=self.gen).cumsum(-1).abs()
        felt = wind[:, torch.arange(self.masts), -self.lag].mean(1)
        power = torch.where(felt < 3.5, (felt / 3.5) ** 3, torch.zeros_like(felt))
        return wind.flatten(1), power


class Session:
    def __init__(self, callbacks, seed=12, rounds=300):
        torch.manual_seed(seed)
        self.masts, self.callbacks, self.rounds, self.done = Masts(seed), callbacks, rounds, 0
        self.net = nn.Sequential(nn.Linear(18 * 12, 480), nn.GELU(), nn.Linear(480, 160), nn.GELU(),
                                 nn.Linear(160, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=1e-3, weight_decay=0.05)
        self.holdout = self.masts.draw(128)

    def tell(self, what, *args):
        for c in self.callbacks:
            getattr(c, what)(self, *args)

    @torch.no_grad()
    def validate(self):
        wind, power = self.holdout
        return F.l1_loss(self.net(wind).squeeze(1), power).item()

    def round(self):
        wind, power = self.masts.draw(32)
        off = F.smooth_l1_loss(self.net(wind).squeeze(1), power)
        self.opt.zero_grad()
        off.backward()
        self.opt.step()
        self.tell("on_validated", self.validate())
        self.done += 1

    def run(self):
        while self.done < self.rounds:
            self.round()
        self.tell("on_finish")
        return self.validate()


if __name__ == "__main__":
    print("averaged:", round(Session([Printer(60), Soup()]).run(), 4))
