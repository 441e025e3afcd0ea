# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .agent import DQNAgent
from .env import CliffGrid


def main(steps=1500):
    torch.manual_seed(23)
    env = CliffGrid()
    agent = DQNAgent(env.n_obs, env.n_act)
    s, ret, rets = env.reset(), 0.0, []
    for t in range(steps):
        a = agent.act(s, t)
        s2, r, d = env.step(a)
        agent.replay.push(s, a, r, s2, d)
        ret += r
        s = s2
        if d:
            rets.append(ret)
            ret, s = 0.0, env.reset()
        agent.learn(t)
        if t % 300 == 299:
            print(f"t={t + 1} return {sum(rets[-20:]) / max(1, len(rets[-20:])):.2f} td {agent.td_ema:.4f}")


if __name__ == "__main__":
    main()
