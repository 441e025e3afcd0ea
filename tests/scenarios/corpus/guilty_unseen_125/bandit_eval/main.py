# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
"""Contextual bandit with a neural value model, evaluated now and then on a frozen log."""
import torch

torch.set_num_threads(1)
import evaluation
from policy import ValueNet, choose


def world(ctx, arm, theta):
    return (ctx * theta[arm]).sum(-1) + 0.1 * torch.randn(len(ctx))


def main(rounds=300):
    torch.manual_seed(33)
    theta = torch.randn(4, 6)
    net = ValueNet(6, 4)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    log_ctx = torch.randn(50, 6)
    for t in range(rounds):
        if t and t % 20 == 0:
            gap = evaluation.regret(net, log_ctx, theta)
            print(t, "regret", gap)
        ctx = torch.randn(12, 6)
        arm = choose(net, ctx, eps=max(0.05, 1 - t / 100))
        r = world(ctx, arm, theta)
        est = net(ctx).gather(1, arm[:, None]).squeeze(1)
        loss = (est - r).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
