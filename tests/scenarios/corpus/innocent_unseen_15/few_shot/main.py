# gradwatch-corpus: kind=none
"""Meta-SGD on few-shot Gaussian classification: initial weights and per-weight inner rates are both learned,
with gradients taken through two inner steps."""
import torch

from episodes import EpisodeSampler
from inner import InnerLoop, RecentTasks


def run(iters=220, seed=37):
    torch.manual_seed(seed)
    sampler = EpisodeSampler(ways=3, shots=5, dim=8, seed=seed)
    inner = InnerLoop(dim=8, ways=3, hidden=24, steps=2)
    recent = RecentTasks(capacity=6)
    opt = torch.optim.Adam(inner.parameters(), lr=3e-3)
    trace = []
    for it in range(iters):
        losses, hits = [], []
        for episode in sampler.batch(2):
            fast = inner.adapt(*episode.support)
            loss, acc = inner.query(fast, *episode.query)
            losses.append(loss)
            hits.append(acc)
            recent.remember(episode.uid, fast)
        meta_loss = torch.stack(losses).mean()
        opt.zero_grad()
        meta_loss.backward()
        opt.step()
        trace.append(sum(hits) / len(hits))
        if it % 55 == 54:
            tail = trace[-50:]
            print(f"it {it + 1}: query acc {sum(tail) / len(tail):.3f}, "
                  f"drift {recent.mean_distance(inner.theta):.3f}")


if __name__ == "__main__":
    run()
