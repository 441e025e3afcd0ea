# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch

from agent import HoverAgent
from experience import ReplayRing
from hover import HoverSim


def interact(sim, ring, agent, obs):
    action = agent.explore(obs)
    nxt, reward = sim.step(action)
    ring.extend(obs, action, reward, nxt)
    return nxt


def main():
    torch.manual_seed(55)
    sim = HoverSim(fleet=16)
    ring = ReplayRing(capacity=4096, obs_dim=4, act_dim=2)
    agent = HoverAgent(obs_dim=4, act_dim=2)
    obs = sim.reset()
    for _ in range(20):
        obs = interact(sim, ring, agent, obs)
    for update in range(140):
        obs = interact(sim, ring, agent, obs)
        stats = agent.learn(ring.sample(64))
        if update % 25 == 0:
            print(update, stats)
            obs = sim.reset()


if __name__ == "__main__":
    main()
