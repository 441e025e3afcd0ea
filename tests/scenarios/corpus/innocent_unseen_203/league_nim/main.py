# gradwatch-corpus: kind=none
"""Self-play on subtraction Nim against a league of frozen earlier selves."""
import torch

from league import League
from player import Player, STONES


def play(learner, rival, gen, start):
    stones, turn = start, int(torch.randint(0, 2, (1,), generator=gen))
    taken = []
    while stones > 0:
        if turn == 0:
            action, log_prob = learner.move(stones)
            taken.append(log_prob)
        else:
            with torch.no_grad():
                action, _ = rival.move(stones)
        stones -= min(action + 1, stones)
        winner = turn
        turn = 1 - turn
    return taken, 1.0 if winner == 0 else -1.0


def main(updates=420, games=3, snapshot_every=60):
    torch.manual_seed(13)
    gen = torch.Generator().manual_seed(13)
    learner = Player()
    opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    league = League(capacity=6, seed=13)
    league.add(learner)
    baseline = 0.0
    for u in range(updates):
        terms, outcomes = [], []
        for _ in range(games):
            slot, rival = league.pick()
            log_probs, result = play(learner, rival, gen, int(torch.randint(4, STONES, (1,), generator=gen)))
            league.record(slot, result)
            outcomes.append(result)
            if log_probs:
                terms.append(-(result - baseline) * torch.stack(log_probs).sum())
        baseline += 0.02 * (sum(outcomes) / games - baseline)
        if not terms:
            continue
        loss = torch.stack(terms).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if u % snapshot_every == snapshot_every - 1:
            league.add(learner)
            print(u, f"baseline {baseline:+.3f}", league.table())


if __name__ == "__main__":
    main()
