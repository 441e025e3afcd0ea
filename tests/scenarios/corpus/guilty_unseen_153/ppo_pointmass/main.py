# gradwatch-corpus: kind=second-backward
# holder: batch["adv"] | batch["ret"] | buf.values | self.values | batch
# first-bad: 1
"""PPO (clip) on a 1-d point mass. Trying to reproduce the spinning-up numbers."""
import torch

from buffer import Rollout
from policy import ActorCritic

torch.set_num_threads(1)
torch.manual_seed(5)


class PointMass:
    def reset(self):
        self.x = torch.randn(2)
        self.t = 0
        return self.x.clone()

    def step(self, a):
        x, v = self.x
        v = 0.9 * v + 0.1 * a.clamp(-2, 2).squeeze()
        self.x = torch.stack([x + 0.2 * v, v])
        self.t += 1
        return self.x.clone(), -float(self.x[0] ** 2), self.t >= 25


def collect(env, model, n=100):
    buf = Rollout()
    s = env.reset()
    for _ in range(n):
        dist, value = model(s)  # <- culprit
        a = dist.sample()
        s2, r, done = env.step(a)
        buf.add(s, a, dist.log_prob(a).sum(-1).detach(), r, value, done)  # <- culprit
        s = env.reset() if done else s2
    return buf


def update(model, opt, batch, epochs=4, clip=0.2):
    for _ in range(epochs):
        dist, value = model(batch["obs"])
        logp = dist.log_prob(batch["act"]).sum(-1)
        ratio = (logp - batch["logp"]).exp()
        adv = batch["adv"]  # <- culprit
        surr = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
        v_loss = (value - batch["ret"]).pow(2).mean()  # <- culprit
        loss = -surr + 0.5 * v_loss - 0.01 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


env, model = PointMass(), ActorCritic(2, 1)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for iteration in range(20):
    buf = collect(env, model)
    batch = buf.finish()
    update(model, opt, batch)
    print(iteration, "mean reward %.3f" % (sum(buf.rewards) / len(buf.rewards)))
