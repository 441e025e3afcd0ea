# gradwatch-corpus: kind=none
"""Actor-critic in a small maze; episodes may grow longer as the maze opens up."""
import argparse

import torch

from agent import Agent
from maze import Maze, WallHit


def play(env, agent):
    state, done = env.reset(), False
    while not done:
        action = agent.act(state)
        try:
            state, reward, done = env.step(action)
        except WallHit as hit:
            agent.remember_mistake(hit)
            state, reward, done = env.view(), -0.2, env.out_of_time()
        agent.reward(reward)
    return env.solved


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=4)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    env = Maze(side=5, seed=args.seed)
    agent = Agent(env.size)
    won = 0
    for episode in range(args.episodes):
        env.limit = 8 + episode // 25
        won += play(env, agent)
        agent.finish_episode()
        if episode % 60 == 59:
            print(f"episode {episode + 1}: solved {won}/60, value loss {agent.value_loss:.3f}")
            print("   recent mistakes:", agent.mistakes())
            won = 0


if __name__ == "__main__":
    main()
