# gradwatch-corpus: kind=none
"""DDPG thermostat for four office zones with a shared sensor encoder."""
import torch

from agent import Agent
from building import Building
from replay import Replay, Transition

torch.set_num_threads(1)
torch.manual_seed(19)


def run(hours=420, warm=40):
    env, agent, replay = Building(zones=4), Agent(), Replay(capacity=600)
    obs = env.reset()
    bill = []
    for hour in range(hours):
        action = agent.explore(obs, sigma=0.4 * (1 - hour / hours))
        nxt, reward = env.step(action)
        replay.add(Transition(obs, action, reward, nxt))
        obs = nxt
        bill.append(-reward.mean().item())
        if hour >= warm:
            agent.learn(replay.sample(32))
        if hour % 70 == 69:
            q = agent.losses.get("critic", float("nan"))
            print("hour %3d  discomfort+energy %.3f  critic %.4f  |code| %.3f"
                  % (hour + 1, sum(bill[-70:]) / 70, q, agent.code_size()))


if __name__ == "__main__":
    run()
