# gradwatch-corpus: kind=none
# about: log-probabilities, values and entropies with their graphs pile up in lists through an episode, and episodes get longer as the policy learns; every list is emptied after the one update per episode
"""Wading bird on a windy ledge: advantage actor-critic, one update per episode."""
import torch

from ledge import WindyLedge
from agent import WadingAgent
from diary import Diary


def main(episodes=320):
    torch.manual_seed(404)
    world = WindyLedge(seed=12, limit=22)
    bird = WadingAgent(world.obs_dim, world.n_actions)
    diary = Diary(window=40)
    for ep in range(episodes):
        obs = world.reset()
        finished = False
        while not finished:
            action = bird.act(obs)
            obs, reward, finished = world.step(action)
            bird.reward(reward)
        diary.note(length=bird.length, **bird.learn())
        if ep % 40 == 39:
            print(f"episode {ep + 1:4d}  {diary}")


if __name__ == "__main__":
    main()
