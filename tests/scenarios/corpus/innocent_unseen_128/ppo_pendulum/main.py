# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from agent import ActorCritic, Storage
from pendulum import VecPendulum

torch.manual_seed(18)
env, ac = VecPendulum(4), ActorCritic()
opt = torch.optim.Adam(ac.parameters(), 2e-3, eps=1e-5)
obs = env.reset()
returns = []
for update in range(40):
    st = Storage()
    for _ in range(16):
        dist, v = ac(obs)
        a = dist.sample()
        nxt, r = env.step(a)
        st.add(obs=obs, act=a, logp=dist.log_prob(a).sum(-1).detach(), val=v.detach(), rew=r)
        obs = nxt
    returns.append(torch.stack(st.rew).mean().item())
    data = st.finish(ac(obs)[1].detach(), gamma=0.97, lam=0.95)
    tally = {"pi": 0.0, "v": 0.0, "ent": 0.0}
    for epoch in range(4):
        for idx in torch.randperm(64).split(16):
            mb = {k: x[idx] for k, x in data.items()}
            dist, v = ac(mb["obs"])
            ratio = (dist.log_prob(mb["act"]).sum(-1) - mb["logp"]).exp()
            adv = (mb["adv"] - mb["adv"].mean()) / (mb["adv"].std() + 1e-8)
            parts = {"pi": -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean(),
                     "v": 0.5 * (v - mb["ret"]).square().mean(), "ent": -0.01 * dist.entropy().mean()}
            opt.zero_grad()
            sum(parts.values()).backward()
            torch.nn.utils.clip_grad_norm_(ac.parameters(), 0.5)
            opt.step()
            with torch.no_grad():
                for k in tally:
                    tally[k] += parts[k]
    if update % 10 == 0:
        print(update, returns[-1], {k: x.item() / 16 for k, x in tally.items()})
