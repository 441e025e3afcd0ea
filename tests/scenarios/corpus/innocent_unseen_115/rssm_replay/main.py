# gradwatch-corpus: kind=none
"""Recurrent world model with stored-state replay (R2D2-style) and an imagined actor."""
import random

import torch

from agent import Dreamlet
from env import DriftPoint
from replay import SequenceReplay


def main(iters=200, chunk=3, seed=7):
    random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = DriftPoint(n=4)
    agent = Dreamlet(obs_dim=env.obs_dim, act_dim=env.act_dim)
    replay = SequenceReplay(capacity=400)

    obs, latent = env.reset(), agent.wm.initial(env.n)
    scalars = {}
    for it in range(iters):
        # interaction: the latent is carried over the whole run
        start, steps = latent, []
        for _ in range(chunk):
            act, latent = agent.policy(obs, latent)
            nxt, rew = env.step(act)
            steps.append((obs, act, rew))
            obs = nxt
        replay.add(start, steps)

        batch = replay.sample(4)
        post, wm_metrics = agent.train_world_model(batch)
        actor_metrics = agent.train_actor(post)
        for k, v in {**wm_metrics, **actor_metrics}.items():
            scalars.setdefault(k, []).append(v)
        if (it + 1) % 50 == 0:
            print(f"{it + 1:4d}  " + "  ".join(f"{k} {sum(v) / len(v):.3f}" for k, v in scalars.items()))
            scalars.clear()


if __name__ == "__main__":
    main()
