# gradwatch-corpus: kind=inplace-modified
# holder: self.trunk | agent.trunk | self.trunk[2].weight | agent.trunk[2].weight
# first-bad: 14
# notice: 0
"""Actor-critic on a slippery grid. The critic learns online, the actor once per episode."""
import torch

from agent import Agent
from grid import Grid


def play(env, agent, max_len=14):
    obs = env.reset()
    log_probs, rewards = [], []
    for _ in range(max_len):
        action, log_prob, value = agent.act(obs)
        nxt, reward = env.step(action)
        agent.learn_value(value, reward, nxt)
        log_probs.append(log_prob)
        rewards.append(reward)
        obs = nxt
    agent.learn_policy(log_probs, rewards)
    return sum(rewards)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    env = Grid(size=6, slip=0.1, seed=1)
    agent = Agent(n_obs=env.n_obs, n_actions=4)
    score = 0.0
    for episode in range(60):
        score = 0.9 * score + 0.1 * play(env, agent)
        if episode % 10 == 0:
            print(f"episode {episode:3d}  score {score:.3f}")


if __name__ == "__main__":
    main()
