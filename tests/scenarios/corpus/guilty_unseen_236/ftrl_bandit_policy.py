# gradwatch-corpus: kind=graph-chain
# holder: objective
# first-bad: 1
"""Contextual bandit with a linear softmax policy, off-policy importance weighted objective."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=120)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--ctx_dim", type=int, default=20)
parser.add_argument("--arms", type=int, default=6)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--entropy", type=float, default=0.01)
parser.add_argument("--clip", type=float, default=5.0)
parser.add_argument("--discount", type=float, default=0.97)
args = parser.parse_args([])

torch.manual_seed(3)
true_w = torch.randn(args.ctx_dim, args.arms)


class Logger:
    def __init__(self, keys):
        self.rows = {k: [] for k in keys}

    def push(self, **kw):
        for k, v in kw.items():
            self.rows[k].append(float(v))

    def tail(self, k, n=20):
        return sum(self.rows[k][-n:]) / len(self.rows[k][-n:])


def pull(ctx, arm):
    mean = torch.einsum("bd,da->ba", ctx, true_w)
    r = mean.gather(1, arm[:, None]).squeeze(1)
    return torch.sigmoid(r + 0.3 * torch.randn_like(r))


W = torch.zeros(args.ctx_dim, args.arms, requires_grad=True)
b = torch.zeros(args.arms, requires_grad=True)
opt = torch.optim.SGD([W, b], lr=args.lr, momentum=0.5)
logger = Logger(["reward", "objective", "entropy"])

objective = torch.zeros(())
baseline = 0.0
for rnd in range(args.rounds):
    ctx = torch.randn(args.batch, args.ctx_dim)
    logits = torch.einsum("bd,da->ba", ctx, W) + b
    logp = logits.log_softmax(-1)

    with torch.no_grad():
        behaviour = 0.8 * logp.exp() + 0.2 / args.arms
        arm = torch.multinomial(behaviour, 1).squeeze(1)
        reward = pull(ctx, arm)
        mu = behaviour.gather(1, arm[:, None]).squeeze(1)

    ratio = logp.gather(1, arm[:, None]).squeeze(1).exp() / mu
    ratio = ratio.clamp(max=args.clip)
    surrogate = (ratio * (reward - baseline)).mean()
    entropy = -(logp.exp() * logp).sum(-1).mean()

    objective = args.discount * objective - (surrogate + args.entropy * entropy)  # <- culprit
    opt.zero_grad()
    objective.backward(retain_graph=True)  # <- culprit
    opt.step()

    baseline = 0.95 * baseline + 0.05 * reward.mean().item()
    logger.push(reward=reward.mean(), objective=objective.item(), entropy=entropy.item())
    if (rnd + 1) % 20 == 0:
        print(
            f"round {rnd + 1:4d} reward {logger.tail('reward'):.3f} "
            f"objective {logger.tail('objective'):.3f} H {logger.tail('entropy'):.3f}"
        )

with torch.no_grad():
    test_ctx = torch.randn(512, args.ctx_dim)
    greedy = (test_ctx @ W + b).argmax(-1)
    oracle = (test_ctx @ true_w).argmax(-1)
    print(f"agreement with oracle {(greedy == oracle).float().mean().item():.3f}")
