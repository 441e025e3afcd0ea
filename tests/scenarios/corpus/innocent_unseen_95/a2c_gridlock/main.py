# gradwatch-corpus: kind=none
"""Recurrent A2C for traffic-light control at a junction, n-step rollouts."""
import torch

from junction import Junction
from loggers import MeanLogger
from policy import RecurrentPolicy
from rollout import Collector, a2c_loss


def greedy_score(policy, n_envs=8, steps=40):
    env = Junction(n_envs)
    obs, h, total = env.reset(), policy.initial(n_envs), 0.0
    with torch.no_grad():
        for _ in range(steps):
            dist, _, h = policy(obs, h)
            obs, r = env.step(dist.probs.argmax(-1))
            total += r.mean().item()
    return total / steps


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    env = Junction(8)
    policy = RecurrentPolicy(env.obs_dim, env.n_actions)
    opt = torch.optim.RMSprop(policy.parameters(), lr=7e-4, eps=1e-5, alpha=0.99)
    collector = Collector(env, policy, n_steps=6)
    log = MeanLogger()
    for update in range(320):
        traj = collector.run()
        loss, stats = a2c_loss(traj, gamma=0.96, ent_coef=0.01)
        opt.zero_grad()
        loss.backward()
        stats["grad"] = torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        opt.step()
        log.push(stats)
        if (update + 1) % 80 == 0:
            print(update + 1, log.flush(), "greedy %.3f" % greedy_score(policy))


if __name__ == "__main__":
    main()
