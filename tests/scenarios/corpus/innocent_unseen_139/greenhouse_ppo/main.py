# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(21)

from buffer import OnPolicyBuffer
from house import Greenhouse
from ppo import PPO

house, buf, agent = Greenhouse(), OnPolicyBuffer(gamma=0.95, lam=0.9), PPO(n_obs=3, n_act=3)
obs, totals = house.reset(), []
for n in range(60):
    total = 0.0
    for _ in range(20):
        act, logp, value = agent.act(obs)
        nxt, rew = house.step(act.item())
        buf.store(obs=obs, act=act, logp=logp, value=value, rew=torch.tensor(rew))
        obs, total = nxt, total + rew
    stats = agent.improve(buf.export(agent.value_of(obs)), epochs=4, minibatch=10)
    buf.reset()
    totals.append(total)
    if n % 12 == 11:
        print(n + 1, f"comfort {sum(totals[-12:]) / 12:.2f}", {k: round(v, 3) for k, v in stats.items()})
