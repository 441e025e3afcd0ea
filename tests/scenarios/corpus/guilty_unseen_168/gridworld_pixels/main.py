# gradwatch-corpus: kind=memory-climb
# holder: self.tail | trail.tail | agent.trail.tail | self.trail.tail
"""Pixel gridworld agent with n-step value targets."""
import torch

from agent import Agent
from world import PixelGrid

torch.set_num_threads(1)
torch.manual_seed(17)


def main(updates=80, rollout=6):
    world = PixelGrid(size=14, scale=4, seed=2)
    agent = Agent(world.shape, world.actions, horizon=rollout)
    frame = world.reset()
    score, episodes = 0.0, 0
    for update in range(updates):
        for _ in range(rollout):
            action = agent.act(frame)
            nxt, reward, done = world.step(action)
            agent.trail.push(frame, action, reward, done)
            score += reward
            frame = nxt
            if done:
                episodes += 1
                frame = world.reset()
        loss = agent.learn(frame)
        if update % 20 == 0:
            print(f"update {update} loss {loss:.4f} score {score:.2f} episodes {episodes}")


if __name__ == "__main__":
    main()
