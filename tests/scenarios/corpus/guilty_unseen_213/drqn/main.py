# gradwatch-corpus: kind=second-backward
# holder: self.segments | memory.segments | self.memory.segments | agent.memory.segments | agent.memory.segments[0]['h0']
# first-bad: 9
import torch

from agent import DRQNAgent
from env import TMaze


def collect(env, agent, obs, eps):
    ret = 0.0
    for _ in range(agent.seg_len):
        act = agent.act(obs, eps)
        nxt, rew, done = env.step(act)
        agent.record(obs, act, rew, done)
        obs = nxt
        ret += rew.mean().item()
    return obs, ret


def main():
    torch.manual_seed(8)
    env = TMaze(length=5, n_envs=4)
    agent = DRQNAgent(obs_dim=env.obs_dim, n_actions=env.n_actions, seg_len=6)
    obs = env.reset()
    returns = 0.0
    for _ in range(agent.warmup):
        obs, _ = collect(env, agent, obs, eps=1.0)
    for it in range(150):
        obs, ret = collect(env, agent, obs, eps=max(0.05, 0.5 - it / 200))
        returns += ret
        loss = agent.learn()
        if it % 25 == 0:
            print(f"iter {it:3d} td {loss:.4f} return {returns:.2f}")
            returns = 0.0


if __name__ == "__main__":
    main()
