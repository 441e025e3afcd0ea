# gradwatch-corpus: kind=memory-climb
# holder: self.rollouts | memory.rollouts | self.memory.rollouts | agent.memory.rollouts
import torch

from .agent import WorldModelAgent
from .env import Blobs


def main():
    torch.manual_seed(19)
    torch.set_num_threads(1)
    env, agent = Blobs(), WorldModelAgent()
    for it in range(100):
        agent.memory.add(env.rollout())
        loss = agent.fit(agent.memory.sample(2))
        if it % 25 == 0:
            print(f"iter {it} loss {loss:.4f} stored {len(agent.memory)}")


if __name__ == "__main__":
    main()
