# gradwatch-corpus: kind=none
"""Recurrent A2C on a T-maze (the cue is shown only at the start)."""
import torch

from agent import A2C
from maze import VecTMaze

torch.set_num_threads(1)
torch.manual_seed(2)


if __name__ == "__main__":
    env = VecTMaze(n=8, length=3)
    agent = A2C(env, n_steps=5)
    for update in range(320):
        agent.collect()
        stats = agent.update()
        if (update + 1) % 80 == 0:
            print(f"update {update + 1} success {env.success_rate():.2f} " +
                  " ".join(f"{k} {v:.3f}" for k, v in stats.items()))
