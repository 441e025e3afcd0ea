# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# notice: 1
# after: microsoft/oac-explore #27 "modified by an inplace operation": all losses first, then all steps (order of the old repo)
"""Temperature control of a stirred reactor with soft actor-critic (port of a rlkit-style repository)."""
import numpy as np
import torch

from agent import SACTrainer
from plant import StirredReactor


class SimpleReplay:
    def __init__(self, size, obs_dim, act_dim):
        self.obs = np.zeros((size, obs_dim), np.float32)
        self.act = np.zeros((size, act_dim), np.float32)
        self.rew = np.zeros((size, 1), np.float32)
        self.next = np.zeros((size, obs_dim), np.float32)
        self.n, self.size = 0, size

    def add(self, o, a, r, o2):
        k = self.n % self.size
        self.obs[k], self.act[k], self.rew[k], self.next[k] = o, a, r, o2
        self.n += 1

    def random_batch(self, n, rng):
        i = rng.integers(0, min(self.n, self.size), n)
        return {k: torch.from_numpy(getattr(self, k)[i]) for k in ('obs', 'act', 'rew', 'next')}


def experiment(variant):
    torch.manual_seed(variant['seed'])
    rng = np.random.default_rng(variant['seed'])
    env = StirredReactor(rng)
    replay = SimpleReplay(5000, env.obs_dim, env.act_dim)
    trainer = SACTrainer(env.obs_dim, env.act_dim, **variant['trainer'])
    obs = env.reset()
    for t in range(variant['steps']):
        if t < variant['min_steps_before_training']:
            act = rng.uniform(-1, 1, env.act_dim)
        else:
            act = trainer.act(obs)
        obs2, rew, done = env.step(act)
        replay.add(obs, act, rew, obs2)
        obs = env.reset() if done else obs2
        if t >= variant['min_steps_before_training']:
            stats = trainer.train(replay.random_batch(variant['batch_size'], rng))
            if t % 50 == 0:
                print(t, stats)


if __name__ == '__main__':
    experiment(dict(seed=1, steps=400, batch_size=64, min_steps_before_training=200,
                    trainer=dict(hidden=48, discount=0.98, lr=1e-3, alpha=0.1, tau=5e-3)))
