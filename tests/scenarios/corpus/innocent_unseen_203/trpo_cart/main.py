# gradwatch-corpus: kind=none
import torch

from agent import Agent
from world import Trolley


def collect(agent, env, horizon):
    obs, act, logp, rew = [], [], [], []
    s = env.reset()
    with torch.no_grad():
        for _ in range(horizon):
            dist = agent.dist(s)
            a = dist.sample()
            obs.append(s)
            act.append(a)
            logp.append(dist.log_prob(a).sum(-1))
            s, r = env.step(a)
            rew.append(r)
    ret, out = torch.zeros_like(rew[0]), []
    for r in reversed(rew):
        ret = r + 0.95 * ret
        out.insert(0, ret)
    return torch.cat(obs), torch.cat(act), torch.cat(logp), torch.cat(out), torch.stack(rew).mean().item()


def main(updates=110, horizon=12):
    torch.manual_seed(6)
    env = Trolley(10)
    agent = Agent()
    scores = []
    for u in range(updates):
        obs, act, logp, ret, score = collect(agent, env, horizon)
        scores.append(score)
        value_loss = agent.fit_value(obs, ret)
        kl, gain = agent.update_policy(obs, act, logp, ret)
        if u % 10 == 9:
            print(u, f"reward {sum(scores[-10:]) / 10:.3f} kl {kl:.4f} gain {gain:.4f} value {value_loss:.3f}")


if __name__ == "__main__":
    main()
