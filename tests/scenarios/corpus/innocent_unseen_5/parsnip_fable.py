# gradwatch-corpus: kind=none
# about: open stories keep log-probability graphs over several optimizer steps (several storytellers, different lengths), but each list is spent by its own backward and cleared; never more than the open stories
"""Interactive fiction with several storytellers at once (REINFORCE).

Each teller tells at its own pace.  As soon as a story has ended it is graded and learned from; the others go on.
"""
from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

SCENES = ("hearth", "garden", "cellar", "mill", "bridge", "wood", "well", "barn")
DEEDS = ("dig", "wait", "ask", "hide", "sing")


@dataclass
class Story:
    teller: int
    said: list[torch.Tensor] = field(default_factory=list)
    doubt: list[torch.Tensor] = field(default_factory=list)
    worth: float = 0.0

    def tell(self, logp, entropy, worth):
        self.said.append(logp)
        self.doubt.append(entropy)
        self.worth += worth

    def moral(self, baseline, curiosity):
        gain = torch.stack(self.said).sum() * (self.worth - baseline)
        return -(gain + curiosity * torch.stack(self.doubt).sum()) / len(self.said)


class Fable(nn.Module):
    """Tabular in the scene, linear in the mood."""

    def __init__(self, moods=16):
        super().__init__()
        self.habit = nn.Embedding(len(SCENES), len(DEEDS))
        self.mood = nn.Linear(moods, len(DEEDS), bias=False)
        nn.init.zeros_(self.habit.weight)

    def odds(self, scene, mood):
        return Categorical(logits=self.habit(torch.tensor(scene)) + self.mood(mood))


def village(rng):
    """A coroutine: takes deeds, gives (scene, reward, ended)."""
    scene, hunger = rng.randrange(len(SCENES)), 0
    deed = yield scene, 0.0, False
    while True:
        good = (scene * 3 + 1) % len(DEEDS)
        hunger += 1
        pay = 1.0 if deed == good else -0.1
        scene = (scene + deed + 1) % len(SCENES)
        ended = rng.random() < 0.12 or hunger > 25
        deed = yield scene, pay, ended
        if ended:
            return


class Round:
    """All tellers, and the stories they have open."""

    def __init__(self, tellers=6, seed=27):
        self.rng = random.Random(seed)
        torch.manual_seed(seed)
        self.fable = Fable()
        self.opt = torch.optim.Adam(self.fable.parameters(), lr=0.02)
        self.baseline, self.endings = 0.0, Counter()
        self.open: dict[int, Story] = {}
        self.seats = {}
        for t in range(tellers):
            self.sit(t)

    def sit(self, teller):
        place = village(random.Random(self.rng.random()))
        scene, *_ = next(place)
        self.seats[teller] = (place, scene)
        self.open[teller] = Story(teller)

    def turn(self, teller):
        place, scene = self.seats[teller]
        odds = self.fable.odds(scene, torch.randn(16))
        deed = odds.sample()
        scene, pay, ended = place.send(deed.item())
        self.open[teller].tell(odds.log_prob(deed), odds.entropy(), pay)
        self.seats[teller] = (place, scene)
        return ended

    def stories(self):
        while True:
            for teller in list(self.seats):
                if self.turn(teller):
                    yield self.open.pop(teller)
                    self.sit(teller)

    def learn(self, story):
        cost = story.moral(self.baseline, 0.01)
        self.opt.zero_grad()
        cost.backward()
        self.opt.step()
        self.baseline += 0.05 * (story.worth - self.baseline)
        self.endings[len(story.said)] += 1


def main(lessons=300):
    circle = Round()
    for n, story in zip(range(lessons), circle.stories()):
        circle.learn(story)
        if n % 50 == 0:
            print(f"story {n:3d} by teller {story.teller}: {len(story.said):2d} deeds, worth {story.worth:+.1f}, "
                  f"baseline {circle.baseline:+.2f}")
    print("most common lengths:", circle.endings.most_common(3))


if __name__ == "__main__":
    main()
