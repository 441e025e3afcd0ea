# gradwatch-corpus: kind=graph-chain
# holder: state.params | self.params | self.state.params | tuner.state.params | new_params | new | params
# first-bad: 1
# notice: 5
"""Online cost model for a loop-tiling autotuner.

Every round a handful of schedules is measured and the cost model is refined
with one momentum step; the best predicted schedule goes into the log.
"""
import argparse

import torch

from space import SPACE, measure, sample_schedules
from tunestate import TuneState, fresh_state


def predict(params, feats):
    h = torch.tanh(feats @ params["w1"] + params["b1"])
    return (h @ params["w2"] + params["b2"]).squeeze(-1)


def rank_loss(score, latency):
    target = latency.log()
    diff_s = score[:, None] - score[None, :]
    diff_t = target[:, None] - target[None, :]
    pair = torch.nn.functional.softplus(-diff_s * diff_t.sign())
    return pair.triu(1).mean() + 0.1 * (score - target).pow(2).mean()


class Tuner:
    def __init__(self, rounds, batch, lr, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.rounds, self.batch, self.lr = rounds, batch, lr
        self.state = fresh_state(len(SPACE), 24, self.gen)
        self.best = float("inf")

    def propose(self):
        """Take the more promising half of a random pool, plus a few explorers."""
        pool = sample_schedules(4 * self.batch, self.gen)
        with torch.no_grad():
            order = predict(self.state.params, pool).argsort()
        return torch.cat([pool[order[: self.batch - 4]], sample_schedules(4, self.gen)])

    def refine(self, feats, latency):
        params = self.state.params
        loss = rank_loss(predict(params, feats), latency)
        grads = torch.autograd.grad(loss, list(params.values()))
        self.state = self.state.stepped(dict(zip(params, grads)), self.lr)  # <- culprit
        return loss.item()

    def run(self):
        for rnd in range(self.rounds):
            feats = self.propose()
            latency = measure(feats, self.gen)
            loss = self.refine(feats, latency)
            self.best = min(self.best, latency.min().item())
            if rnd % 20 == 0:
                print(f"round {rnd:3d}  rank loss {loss:.4f}  best {self.best:.3f} ms  "
                      f"(state #{self.state.version})")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=140)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    tuner = Tuner(args.rounds, args.batch, args.lr, args.seed)
    tuner.run()
    assert isinstance(tuner.state, TuneState)
    print("done, best latency", round(tuner.best, 3))


if __name__ == "__main__":
    main()
