# gradwatch-corpus: kind=graph-held
# holder: self.registry | REGISTRY | agent.registry | meter.mean | self.mean | self.m2 | meter.m2 | REGISTRY["policy/approx_kl"] | self.registry.meters | REGISTRY.meters | self.meters | REGISTRY.meters['policy/approx_kl'].mean
# first-bad: 1
# notice: 8
import torch

from rl.agent import PPOAgent
from rl.env import BatchedCorridor
from rl.metrics import REGISTRY

SETTINGS = {
    "envs": 16,
    "horizon": 8,
    "clip": 0.2,
    "entropy": 0.01,
    "lr": 3e-3,
    "updates": 160,
    "passes": 2,
    "probe_every": 3,
}


def main(s):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    env = BatchedCorridor(s["envs"])
    agent = PPOAgent(env.obs_dim, env.n_actions, s)
    for u in range(s["updates"]):
        batch = env.rollout(agent, s["horizon"])
        for _ in range(s["passes"]):
            agent.update(batch)
        REGISTRY.scalar("env/return", batch.rewards.sum(0).mean().item())
        if (u + 1) % 40 == 0:
            print(f"update {u + 1}")
            for line in REGISTRY.report():
                print("   ", line)


if __name__ == "__main__":
    main(SETTINGS)
