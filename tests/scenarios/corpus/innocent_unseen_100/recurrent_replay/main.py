# gradwatch-corpus: kind=none
"""Recurrent Q-learning for a draining water tank; transitions are stored with the state they were seen in."""
import torch

from agents import RecurrentAgent
from env import Tank
from memory import EpisodeMemory
from spec import AgentSpec


def main():
    torch.set_num_threads(1)
    spec = AgentSpec()
    torch.manual_seed(spec.seed)
    agent = RecurrentAgent(spec, EpisodeMemory())
    env = Tank(spec.noise)
    rewards = []
    obs, h = env.reset(), agent.initial()
    for t in range(spec.ticks):
        action, h_next = agent.act(obs, h, explore=max(0.05, 1 - t / 150))
        nxt, reward = env.step(action)
        agent.remember(obs, h, action, reward, nxt, h_next)
        obs, h = nxt, h_next
        rewards.append(reward)
        agent.learn()
        if t % 90 == 0:
            print(t, "reward %.3f" % (sum(rewards[-40:]) / len(rewards[-40:])), "memory", len(agent.memory))


if __name__ == "__main__":
    main()
