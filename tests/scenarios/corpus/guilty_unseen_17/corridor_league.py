# gradwatch-corpus: kind=graph-held
# holder: self.by_length | self.by_length[length] | book.by_length | learner.book.by_length | self.book.by_length | episode.moves | move.log_prob
# first-bad: 1
"""Corridor chase (a toy of our level-design bot): actors on asyncio tasks, one learner, REINFORCE with baseline.
The game book is what the designers look at afterwards."""
import asyncio
import random
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

LENGTH = 6
MAX_MOVES = 10
GAMES = 240


@dataclass
class Move:
    cell: int
    action: int
    reward: float
    log_prob: torch.Tensor
    entropy: torch.Tensor


@dataclass
class Episode:
    actor: str
    moves: list = field(default_factory=list)
    won: bool = False

    def returns(self, discount=0.95):
        out, acc = [], 0.0
        for move in reversed(self.moves):
            acc = move.reward + discount * acc
            out.append(acc)
        return out[::-1]


class GameBook:
    """Every game played, sorted by the number of moves."""

    def __init__(self):
        self.by_length = defaultdict(list)

    def enter(self, episode):
        length = len(episode.moves)
        self.by_length[length].append(episode)  # <- culprit

    def longest(self):
        return max(self.by_length)

    def win_rate(self):
        games = [g for group in self.by_length.values() for g in group]
        return sum(g.won for g in games) / max(1, len(games))


class Policy(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * LENGTH, hidden), nn.Tanh(), nn.Linear(hidden, 3))

    def forward(self, me, ghost):
        view = torch.zeros(2, LENGTH)
        view[0, me] = 1.0
        view[1, ghost] = 1.0
        return Categorical(logits=self.body(view.flatten()), validate_args=False)


def play(name, policy, rng):
    episode = Episode(name)
    me, ghost = 0, rng.randrange(2, LENGTH - 1)
    for _ in range(MAX_MOVES):
        dist = policy(me, ghost)
        action = dist.sample()
        before, me = me, min(LENGTH - 1, max(0, me + int(action) - 1))
        ghost = min(LENGTH - 2, max(1, ghost + rng.choice((-1, 0, 1))))
        caught, home = me == ghost, me == LENGTH - 1
        reward = -0.2 if caught else (1.0 if home else 0.1 * (me - before) - 0.02)
        if caught:
            me = max(0, me - 1)
        episode.moves.append(
            Move(me, int(action), reward, dist.log_prob(action), dist.entropy())  # <- culprit
        )
        if home:
            episode.won = True
            break
    return episode


async def actor(name, policy, requests, seed):
    rng = random.Random(seed)
    while True:
        reply = await requests.get()
        if reply is None:
            return
        reply.set_result(play(name, policy, rng))
        await asyncio.sleep(0)


class Learner:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=4e-3)
        self.book = GameBook()
        self.baseline = 0.0

    def learn(self, episode):
        returns = episode.returns()
        advantage = torch.tensor(returns) - self.baseline
        log_probs = torch.stack([m.log_prob for m in episode.moves])
        entropy = torch.stack([m.entropy for m in episode.moves]).mean()
        loss = -(advantage * log_probs).mean() - 0.01 * entropy
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.baseline += 0.05 * (returns[0] - self.baseline)
        self.book.enter(episode)


async def league():
    torch.manual_seed(6)
    policy = Policy()
    learner = Learner(policy)
    requests = asyncio.Queue()
    actors = [asyncio.create_task(actor(f"a{k}", policy, requests, k)) for k in range(3)]
    for game in range(GAMES):
        reply = asyncio.get_running_loop().create_future()
        await requests.put(reply)
        learner.learn(await reply)
        if game % 60 == 59:
            print(f"game {game + 1}: wins {learner.book.win_rate():.2f}, baseline {learner.baseline:+.3f}")
    for _ in actors:
        await requests.put(None)
    await asyncio.gather(*actors)
    print("longest game:", learner.book.longest(), "moves")


if __name__ == "__main__":
    asyncio.run(league())
