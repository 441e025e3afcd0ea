# gradwatch-corpus: kind=graph-chain
# holder: self.memory | self.agent.memory | agent.memory
# first-bad: 1
import torch

from agent import RecurrentAgent
from arm import ReacherBatch
from optim import LARS


def main(updates=400, rollout=2):
    torch.manual_seed(13)
    env = ReacherBatch(n=8)
    agent = RecurrentAgent(env.obs_dim, env.act_dim)
    agent.reset(env.n)
    opt = LARS(agent.parameters(), lr=0.02)
    obs = env.observe()
    for update in range(updates):
        logps, values, rewards = [], [], []
        for _ in range(rollout):
            dist, value = agent.step(obs)
            action = dist.sample()
            obs, reward = env.step(action)
            logps.append(dist.log_prob(action).sum(-1))
            values.append(value)
            rewards.append(reward)
        loss = agent.loss(logps, values, rewards)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if update % 50 == 0:
            print(f"{update:4d} loss {loss.item():+.3f} reward {torch.stack(rewards).mean():.3f}")


if __name__ == "__main__":
    main()
