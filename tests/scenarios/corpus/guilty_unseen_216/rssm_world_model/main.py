# gradwatch-corpus: kind=second-backward
# holder: self.state | agent.state | learner.state
# first-bad: 1
import torch

from learner import WorldModelLearner
from envs import VecPendulum


def main(iters=120, seq_len=8):
    torch.manual_seed(3)
    env = VecPendulum(num=16)
    learner = WorldModelLearner(obs_dim=3, act_dim=1)
    for it in range(iters):
        obs, act, resets = env.rollout(seq_len)
        metrics = learner.update(obs, act, resets)
        if it % 20 == 0:
            print(it, {k: round(v, 4) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
