# gradwatch-corpus: kind=none
import torch

from .agent import ActorCritic, Episode
from .world import PoleBalance


def run(episodes=80, cap=25):
    torch.set_num_threads(1)
    torch.manual_seed(23)
    env, agent = PoleBalance(), ActorCritic()
    opt = torch.optim.Adam(agent.parameters(), lr=5e-3)
    lengths, baseline = [], torch.tensor(0.0)
    for k in range(episodes):
        obs, ep = env.reset(), Episode()
        for _ in range(cap):
            action = agent.act(obs, ep)
            obs, reward, over = env.step(action)
            ep.rewards.append(reward)
            if over:
                break
        returns = ep.returns()
        loss = agent.loss(returns - baseline, values=torch.stack(ep.values), logps=torch.stack(ep.logps),
                          entropies=torch.stack(ep.entropies))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        opt.step()
        baseline = 0.95 * baseline + 0.05 * returns.mean()
        agent.archive.append(ep.closed())
        lengths.append(len(ep.rewards))
        if k % 20 == 19:
            print(f"episode {k + 1}: mean length {sum(lengths[-20:]) / 20:.1f} baseline {float(baseline):.2f}")
    best = max(agent.archive, key=lambda e: len(e.rewards))
    print("longest", len(best.rewards))


run()
