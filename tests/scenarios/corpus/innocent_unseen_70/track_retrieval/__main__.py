# gradwatch-corpus: kind=none
import argparse
import torch

from .data import Listening
from .memory import RecentNegatives
from .towers import TwoTower


def step(model, memory, opt, users, tracks):
    u, t = model(users, tracks)
    bank = memory.with_current(t)
    logits = u @ bank.t() / 0.2
    # the current tracks stand at the head of the bank
    loss = torch.nn.functional.cross_entropy(logits, torch.arange(len(users)))
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    memory.push(t)
    return loss.item()


@torch.no_grad()
def recall(model, data, k=10):
    users, tracks = data.batch(128)
    scores = model.user(users) @ model.track.weight.t()
    best = scores.topk(k, dim=1).indices
    return (best == tracks[:, None]).any(1).float().mean().item()


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=260)
    p.add_argument("--memory", type=int, default=4, help="batches whose tracks serve as negatives")
    a = p.parse_args(argv)
    torch.set_num_threads(1)
    torch.manual_seed(6)
    data = Listening(users=150, tracks=400)
    model = TwoTower(150, 400, 16)
    memory = RecentNegatives(a.memory)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
    for s in range(a.steps):
        loss = step(model, memory, opt, *data.batch(32))
        if s % 65 == 64:
            print(f"step {s + 1} loss {loss:.3f} recall@10 {recall(model, data):.3f}")


if __name__ == "__main__":
    main()
