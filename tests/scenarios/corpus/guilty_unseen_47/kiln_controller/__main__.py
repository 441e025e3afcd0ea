# gradwatch-corpus: kind=inplace-modified
# first-bad: 3
"""python -m kiln_controller"""
import torch

from .agent import Agent, AgentConfig
from .kiln import Kiln
from .memory import Memory


def main(updates=120, warm=150):
    torch.manual_seed(5)
    kiln = Kiln(seed=5)
    agent = Agent(AgentConfig(obs_dim=kiln.obs_dim))
    memory = Memory(4000, kiln.obs_dim)

    obs = kiln.reset()
    done_updates = 0
    trail = 0.0
    step = 0
    while done_updates < updates:
        act = agent.act(obs, noise=0.3)
        nxt, reward, done = kiln.step(act)
        memory.push(obs, act, reward, nxt, done)
        obs = kiln.reset() if done else nxt
        trail = 0.98 * trail + 0.02 * reward
        step += 1
        if step > warm:
            info = agent.update(memory.sample(64))
            done_updates += 1
            if done_updates % 20 == 0:
                print(f"update {done_updates:4d}  q-loss {info['q']:.4f}  reward {trail:.3f}")
    print("environment steps:", step)


if __name__ == "__main__":
    main()
