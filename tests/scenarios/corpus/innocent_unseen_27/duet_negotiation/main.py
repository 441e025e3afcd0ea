# gradwatch-corpus: kind=none
# after: emergent-communication repositories (speaker/listener, straight-through messages) and self-play pools
"""Two players take turns: the speaker's message reaches the listener with its graph, both learn from one loss.

Every few rounds the players change their roles; earlier listeners stay in a small league as frozen copies.
"""
import torch

from league import League
from players import Player, Round, talk


class Diary:
    """What happened, as plain numbers."""

    def __init__(self):
        self.rounds = []

    def __call__(self, record):
        self.rounds.append({"n": record.number, "loss": record.loss.item(), "hit": record.hits,
                            "entropy": record.message.entropy.item()})

    def tail(self, key, n=15):
        return sum(r[key] for r in self.rounds[-n:]) / min(n, len(self.rounds))


def rounds(players, league, diary, count, swap_every=10):
    speaker, listener = players
    record = Round.opening()
    for number in range(count):
        record = talk(record.next(number), speaker, listener)
        for p in players:
            p.optimizer.zero_grad()
        record.loss.backward()
        for p in players:
            p.optimizer.step()
        diary(record)
        record = record.closed()
        if (number + 1) % swap_every == 0:
            league.enter(listener)
            speaker, listener = listener, speaker
            yield number, league.challenge(speaker, record)


def main():
    torch.manual_seed(60)
    players = [Player("ada"), Player("bob")]
    league, diary = League(size=3), Diary()
    for number, scores in rounds(players, league, diary, 90):
        text = " ".join(f"{k}:{v:.2f}" for k, v in scores.items())
        print(f"round {number} loss {diary.tail('loss'):.3f} hit {diary.tail('hit'):.2f} league {text}")


if __name__ == "__main__":
    main()
