# gradwatch-corpus: kind=graph-held
# holder: self.entries | ledger.entries | self.ledger.entries | floor.ledger.entries
# first-bad: 1
# also: graph-unused
"""Off-policy actor-critic for winding a mantel clock: several asynchronous clocks, one learner.

Importance weights are taken against the log-probability at the time of acting.
"""
import asyncio
import math
import random
from collections import deque, namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Tick = namedtuple("Tick", "here did paid there logp")


class Clock:
    """State: spring tension, beat error, temperature. Moves: wind, trim left, trim right, leave."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.start()

    def start(self):
        self.tension, self.beat, self.warm = self.rng.random(), self.rng.uniform(-1, 1), self.rng.random()
        return self.view()

    def view(self):
        return (self.tension, self.beat, self.warm)

    async def move(self, what):
        await asyncio.sleep(0)
        self.tension = max(0.0, self.tension - 0.05 + (0.3 if what == 0 else 0.0))
        self.beat += {1: -0.15, 2: 0.15}.get(what, 0.0) + self.rng.gauss(0, 0.03)
        self.warm = min(1.0, max(0.0, self.warm + self.rng.gauss(0, 0.05)))
        pay = 1.0 - abs(self.beat) - abs(self.tension - 0.6) - (0.02 if what != 3 else 0.0)
        if self.tension > 1.3 or abs(self.beat) > 2:
            self.start()
            pay -= 1.0
        return self.view(), pay


class Ledger:
    def __init__(self, room):
        self.entries = deque(maxlen=room)
        self.rng = random.Random(0)

    def enter(self, tick):
        self.entries.append(tick)  # <- culprit

    def sample(self, many):
        rows = self.rng.sample(self.entries, many)
        return Tick(torch.tensor([r.here for r in rows]),
                    torch.tensor([r.did for r in rows]),
                    torch.tensor([r.paid for r in rows]),
                    torch.tensor([r.there for r in rows]),
                    torch.stack([r.logp for r in rows]).detach())


class Winder(nn.Module):
    def __init__(self, moves=4, size=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, size), nn.Tanh(), nn.Linear(size, size), nn.Tanh())
        self.choice, self.worth = nn.Linear(size, moves), nn.Linear(size, 1)

    def odds(self, view):
        return Categorical(logits=self.choice(self.body(view)))

    def both(self, view):
        z = self.body(view)
        return Categorical(logits=self.choice(z)), self.worth(z).squeeze(-1)


class Floor:
    """The workshop floor: clocks on one side, the learner on the other."""

    def __init__(self, clocks=4, learn=300, seed=9):
        torch.manual_seed(seed)
        self.clocks = [Clock(seed * 10 + i) for i in range(clocks)]
        self.mind, self.ledger, self.learn = Winder(), Ledger(room=50_000), learn
        self.opt = torch.optim.Adam(self.mind.parameters(), lr=2e-3)
        self.turn, self.over = asyncio.Semaphore(0), False
        self.pay = deque(maxlen=200)

    async def attend(self, clock):
        here = clock.view()
        while not self.over:
            odds = self.mind.odds(torch.tensor(here))
            did = odds.sample()
            there, paid = await clock.move(did.item())
            self.ledger.enter(Tick(here, did.item(), paid, there, odds.log_prob(did)))  # <- culprit
            self.pay.append(paid)
            here = there
            self.turn.release()

    def lesson(self, gamma=0.9):
        t = self.ledger.sample(48)
        odds, worth = self.mind.both(t.here)
        with torch.no_grad():
            goal = t.paid + gamma * self.mind.both(t.there)[1]
        now = odds.log_prob(t.did)
        trust = (now.detach() - t.logp).exp().clamp(max=2.0)
        gain = trust * (goal - worth.detach()) * now
        return ((trust * (goal - worth).square()).mean() * 0.5 - gain.mean() - 0.01 * odds.entropy().mean())

    async def study(self):
        while len(self.ledger.entries) < 64:
            await self.turn.acquire()
        for n in range(self.learn):
            await self.turn.acquire()
            loss = self.lesson()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if n % 60 == 0:
                print(f"lesson {n:3d} pay {sum(self.pay) / len(self.pay):+.3f} in ledger {len(self.ledger.entries)}")
        self.over = True

    async def open(self):
        await asyncio.gather(self.study(), *map(self.attend, self.clocks))


if __name__ == "__main__":
    floor = Floor()
    asyncio.run(floor.open())
    print("mean pay at the end", round(math.fsum(floor.pay) / len(floor.pay), 3))
