# gradwatch-corpus: kind=none
import torch
from agent import Agent
from elevator import Elevator
from replay import Replay


def main(episodes=24):
    torch.manual_seed(4)
    env = Elevator(floors=6, seed=4)
    agent = Agent(env.obs_size, env.n_actions)
    buffer = Replay(capacity=800)
    returns, q_log, td_log = [], [], []
    for ep in range(episodes):
        obs, total, done = env.reset(), 0.0, False
        while not done:
            q, action = agent.act(obs)
            nxt, reward, done = env.step(action)
            buffer.push(obs, action, reward, nxt, done)
            q_log.append(q.max().item())
            obs, total = nxt, total + reward
            if len(buffer) >= 64:
                td_log.append(agent.learn(*buffer.sample(32)))
        returns.append(total)
        agent.epsilon = max(0.05, agent.epsilon * 0.9)
        if ep % 6 == 5:
            print(ep + 1, f"return {sum(returns[-6:]) / 6:.2f} q {sum(q_log[-100:]) / 100:.2f}")


if __name__ == "__main__":
    main()
