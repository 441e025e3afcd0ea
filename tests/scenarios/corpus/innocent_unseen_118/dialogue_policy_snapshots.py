# gradwatch-corpus: kind=none
from __future__ import annotations

import itertools
from collections import Counter, deque
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)


@dataclass
class Turn:
    logits: torch.Tensor
    log_prob: torch.Tensor
    entropy: torch.Tensor


@dataclass
class Dialogue:
    number: int
    turns: list[Turn] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)

    @property
    def ret(self) -> float:
        return sum(self.rewards)


@dataclass
class Archive:
    """the latest dialogues as they are, plus totals of all of them"""
    latest: deque[Dialogue] = field(default_factory=lambda: deque(maxlen=8))
    returns: list[float] = field(default_factory=list)
    acts: Counter = field(default_factory=Counter)

    def put(self, d: Dialogue) -> None:
        self.latest.append(d)
        self.returns.append(d.ret)
        self.acts.update(int(t.logits.argmax()) for t in d.turns)

    def mean_entropy(self) -> float:
        flat = [t.entropy for t in itertools.chain.from_iterable(d.turns for d in self.latest)]
        return torch.stack(flat).mean().item()


class Policy(nn.Module):
    def __init__(self, slots: int = 5, acts: int = 6):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(slots + 1, 32), nn.ReLU(), nn.Linear(32, acts))

    def forward(self, slots: torch.Tensor, t: int) -> torch.Tensor:
        return self.f(torch.cat([slots, torch.tensor([t / 6.0])]))


def talk(policy: Policy, number: int) -> Dialogue:
    d = Dialogue(number)
    slots = (torch.rand(5) < 0.4).float()
    for t in range(5):
        logits = policy(slots, t)
        dist = Categorical(logits=logits)
        act = dist.sample()
        d.turns.append(Turn(logits, dist.log_prob(act), dist.entropy()))
        a = int(act)
        if a == 5:
            d.rewards.append(2.0 if bool(slots.all()) else -1.0)
            break
        d.rewards.append(0.3 if slots[a] == 0 else -0.3)
        slots = slots.clone()
        slots[a] = 1.0
    return d


def main() -> None:
    torch.manual_seed(88)
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    archive, baseline = Archive(), 0.0
    for number in range(400):
        d = talk(policy, number)
        adv = d.ret - baseline
        baseline += 0.05 * adv
        loss = -torch.stack([t.log_prob for t in d.turns]).sum() * adv
        loss = loss - 0.01 * torch.stack([t.entropy for t in d.turns]).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        archive.put(d)
        if number % 100 == 99:
            last = archive.returns[-100:]
            print(f"{number + 1}: return {sum(last) / len(last):+.3f} entropy {archive.mean_entropy():.3f} acts {archive.acts.most_common(3)}")


if __name__ == "__main__":
    main()
