# gradwatch-corpus: kind=second-backward
# holder: self.pending | crew.pending | s.moments[-1] | s.moments[0] | s.moments
# first-bad: 48
"""n-step advantage actor-critic for the pumps of a small reservoir."""
import random
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Moment:
    logit_taken: torch.Tensor
    worth: torch.Tensor
    reward: float


@dataclass
class Stretch:
    moments: list = field(default_factory=list)
    ended: bool = False
    cut_short: bool = False
    after: torch.Tensor = None


class Reservoir:
    """Keep the level near the middle; inflow is noisy, the day has 70 to 90 quarter hours."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.start()

    def start(self):
        self.level, self.flow = self.rng.uniform(0.3, 0.7), 0.0
        self.left = self.rng.randint(70, 90)
        return self.view()

    def view(self):
        return torch.tensor([self.level - 0.5, self.flow, self.left / 100.0])

    def pump(self, setting):
        self.flow = 0.8 * self.flow + self.rng.gauss(0.0, 0.01)
        self.level += self.flow + (setting - 1) * 0.03
        self.left -= 1
        spilled = not 0.0 < self.level < 1.0
        return self.view(), (-5.0 if spilled else 1.0 - 4 * abs(self.level - 0.5)), spilled, self.left == 0


class Crew(nn.Module):
    def __init__(self, n=5, discount=0.97):
        super().__init__()
        self.n, self.discount = n, discount
        self.eyes = nn.Sequential(nn.Linear(3, 24), nn.Tanh())
        self.hand, self.sense = nn.Linear(24, 3), nn.Linear(24, 1)
        self.pending = None

    def stretches(self, plant, count):
        view = plant.start()
        for _ in range(count):
            s = Stretch()
            if self.pending is not None:
                s.moments.append(self.pending)  # <- culprit
                self.pending = None
            while len(s.moments) < self.n and not (s.ended or s.cut_short):
                feel = self.eyes(view)
                dist = torch.distributions.Categorical(logits=self.hand(feel))
                a = dist.sample()
                view, reward, s.ended, s.cut_short = plant.pump(a.item())
                s.moments.append(Moment(dist.log_prob(a), self.sense(feel).squeeze(), reward))
            s.after = view
            if s.cut_short and not s.ended:
                # the day ran out, nothing went wrong: its last moment still waits for a successor
                self.pending = s.moments[-1]  # <- culprit
            if s.ended or s.cut_short:
                view = plant.start()
            yield s

    def loss(self, s):
        with torch.no_grad():
            ret = 0.0 if s.ended else self.sense(self.eyes(s.after)).item()
        total = 0.0
        for m in reversed(s.moments):
            ret = m.reward + self.discount * ret
            gap = ret - m.worth
            total = total + 0.5 * gap ** 2 - m.logit_taken * gap.detach()
        return total / len(s.moments)


def main():
    torch.manual_seed(12)
    crew = Crew()
    opt = torch.optim.RMSprop(crew.parameters(), lr=1e-3)
    gained = []
    for k, s in enumerate(crew.stretches(Reservoir(seed=2), 600)):
        loss = crew.loss(s)
        opt.zero_grad()
        loss.backward()
        opt.step()
        gained += [m.reward for m in s.moments]
        if k % 20 == 0:
            print(f"stretch {k:3d} loss {loss.item():8.4f} mean reward {sum(gained[-100:]) / len(gained[-100:]):.3f}", flush=True)


if __name__ == "__main__":
    main()
