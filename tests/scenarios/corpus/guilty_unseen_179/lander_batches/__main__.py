# gradwatch-corpus: kind=graph-held
# holder: self.steps | rollout.steps
# first-bad: 1
"""Soft landing with a Gaussian policy, one update per short descent."""
import torch

from .lander import Lander
from .learner import Learner
from .rollout import Rollout


def descend(env, learner, rollout, limit):
    obs = env.reset()
    for _ in range(limit):
        thrust, logp = learner.act(obs)
        obs, reward, done = env.step(thrust)
        rollout.add(logp, reward)
        if done:
            break
    rollout.close()


def main(updates=420, limit=8):
    torch.manual_seed(103)
    env = Lander(craft=12)
    learner = Learner(env.width)
    rollout = Rollout()
    mean_return = 0.0
    for update in range(updates):
        descend(env, learner, rollout, limit)
        batch = rollout.latest()
        loss, total = learner.update(batch)
        batch.clear()
        mean_return = 0.95 * mean_return + 0.05 * total
        if update % 60 == 0:
            print(f"{update} loss {loss:.4f} return {mean_return:.3f} left {len(batch)}")


if __name__ == "__main__":
    main()
