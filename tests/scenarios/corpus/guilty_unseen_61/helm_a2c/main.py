# gradwatch-corpus: kind=second-backward
# holder: latent
# first-bad: 6
# notice: 0
"""Advantage actor-critic on a vectorised boat-steering task.

The value head is trained alone for the first `--actor-delay` rollouts.
"""
import argparse

import torch

from agents.learner import Learner
from agents.networks import SharedActorCritic
from envs.boat import BoatEnv


def collect(env, net, horizon):
    """Play `horizon` steps in every environment; returns a dict of [T, N, ...] tensors."""
    obs = env.observe()
    keep = {"obs": [], "action": [], "reward": []}
    with torch.no_grad():
        for _ in range(horizon):
            action = torch.distributions.Categorical(logits=net.act(obs)).sample()
            nxt, reward = env.step(action)
            for k, v in zip(keep, (obs, action, reward)):
                keep[k].append(v)
            obs = nxt
    rollout = {k: torch.stack(v) for k, v in keep.items()}
    rollout["last_obs"] = obs
    return rollout


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rollouts", type=int, default=80)
    ap.add_argument("--horizon", type=int, default=10)
    ap.add_argument("--envs", type=int, default=16)
    ap.add_argument("--actor-delay", type=int, default=6)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(11)

    env = BoatEnv(args.envs)
    net = SharedActorCritic(env.obs_dim, env.n_actions)
    learner = Learner(net, actor_delay=args.actor_delay)
    for it in range(args.rollouts):
        rollout = collect(env, net, args.horizon)
        stats = learner.learn(it, rollout)
        if it % 10 == 0:
            print(it, f"reward {rollout['reward'].mean():.3f}", stats)


if __name__ == "__main__":
    main()
