# gradwatch-corpus: kind=second-backward
# holder: roll.logp | buf.logp | rollout.logp | self.logp
# first-bad: 1
# notice: 0
import torch

from actor import GaussianActor
from rollout import Rollout, PointMass

torch.set_num_threads(1)
torch.manual_seed(4)


def surrogate(ratio, adv, eps=0.2):
    return -torch.minimum(ratio * adv, ratio.clamp(1 - eps, 1 + eps) * adv).mean()


def improve(actor, opt, roll, passes=4):
    adv = roll.advantages()
    for _ in range(passes):
        dist = actor.dist(roll.obs)
        ratio = (dist.log_prob(roll.act).sum(-1) - roll.logp).exp()
        loss = surrogate(ratio, adv) - 1e-3 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    env = PointMass(n=16)
    actor = GaussianActor(4, 2)
    opt = torch.optim.Adam(actor.parameters(), lr=3e-4)
    for it in range(60):
        roll = Rollout.collect(env, actor, horizon=8)
        print(it, improve(actor, opt, roll), roll.rew.sum(0).mean().item())


main()
