# gradwatch-corpus: kind=none
"""Deterministic actor-critic on a torque pendulum, the actor on a slower clock."""
import torch

from agent import Agent
from journal import Journal
from pendulum import Pendulum, Replay


def main(steps=500, actor_every=4):
    torch.manual_seed(137)
    env = Pendulum(count=4)
    agent = Agent(env.width)
    replay = Replay(capacity=1500)
    journal = Journal({"critic": 50, "actor": 80})
    obs = env.reset()
    for step in range(steps):
        action = agent.explore(obs)
        nxt, reward = env.step(action)
        replay.extend(obs, action, reward, nxt)
        obs = env.reset() if step % 60 == 59 else nxt
        batch = replay.sample(32)
        journal.write("critic", step, agent.critic_step(batch))
        if step % actor_every == actor_every - 1:
            journal.write("actor", step, agent.actor_step(batch))
            agent.follow()
        if step % 100 == 99:
            print(step, journal.line(), f"reward {reward.mean().item():.3f}")


if __name__ == "__main__":
    main()
