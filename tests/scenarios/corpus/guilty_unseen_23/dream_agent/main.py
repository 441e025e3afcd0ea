# gradwatch-corpus: kind=second-backward
# holder: self.posterior | agent.posterior | post | start | z
# first-bad: 70
import torch

from agent import DreamAgent
from sim import TableSim


def main(iterations=200, warmup=70):
    torch.manual_seed(9)
    sim = TableSim(seed=1)
    agent = DreamAgent(d_obs=sim.d_obs, d_act=sim.d_act, warmup=warmup)
    for it in range(iterations):
        logs = agent.update(sim.segment(batch=24, length=8))
        if it % 20 == 0:
            print(it, "  ".join(f"{k} {v:+.4f}" for k, v in logs.items()))


if __name__ == "__main__":
    main()
