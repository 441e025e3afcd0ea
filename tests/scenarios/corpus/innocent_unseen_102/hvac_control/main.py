# gradwatch-corpus: kind=none
"""n-step actor-critic for a thermostat, with a replay of past rollouts."""
import torch

from agent import Agent
from building import Building
from replay import Replay


def main():
    torch.set_num_threads(1)
    torch.manual_seed(55)
    env, agent, replay = Building(n=6), Agent(lr=3e-3), Replay()
    obs = env.reset()
    reward_log, value_log = [], []
    for update in range(330):
        traj = []
        for _ in range(5):
            action, logp, value = agent.act(obs)
            nxt, reward = env.step(action)
            traj.append((obs, action, logp, value, reward))
            obs = nxt
        stats = agent.learn(traj, obs, replay)
        reward_log.append(stats["reward"])
        value_log.append(stats["value"])
        if update % 66 == 65:
            print(f"{update + 1} reward {sum(reward_log[-66:]) / 66:+.3f} "
                  f"value {torch.stack(value_log[-66:]).mean().item():+.3f} replay {len(replay)}")


if __name__ == "__main__":
    main()
