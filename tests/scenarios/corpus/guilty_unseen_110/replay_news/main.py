# gradwatch-corpus: kind=second-backward
# holder: logp | self.items | memory.items | bandit.memory.items | ev.logp
# first-bad: 20
# notice: 0
"""Contextual bandit that picks which article to show on a front page."""
import torch

from bandit import NewsBandit
from readers import ReaderPool


def run(rounds=300, batch=8, seed=31):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    readers = ReaderPool(n_features=6, n_articles=5)
    bandit = NewsBandit(6, 5, replay_after=160)
    clicks = 0.0
    for r in range(rounds):
        ctx = readers.arrive(batch)
        shown = bandit.show(ctx)
        clicked = readers.react(ctx, shown)
        bandit.feedback(clicked)
        loss = bandit.learn()
        clicks = 0.9 * clicks + 0.1 * clicked.mean().item()
        if r % 10 == 0:
            print(f"round {r:4d}  ctr~{clicks:.3f}  loss {loss:+.4f}")


if __name__ == "__main__":
    run()
