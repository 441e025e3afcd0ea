# gradwatch-corpus: kind=none
import torch

from agent import ActorCritic, gae
from balance import Pole

torch.set_num_threads(1)
torch.manual_seed(15)

env, net = Pole(n=8), ActorCritic(4, 2)
actor_opt = torch.optim.Adam([*net.trunk.parameters(), *net.pi.parameters()], lr=2e-3)
critic_opt = torch.optim.Adam(net.v.parameters(), lr=5e-3)


def learn(batch, clip=0.2):
    logits, value = net(batch["obs"])
    dist = torch.distributions.Categorical(logits=logits)
    ratio = (dist.log_prob(batch["act"]) - batch["logp"]).exp()
    adv = (batch["adv"] - batch["adv"].mean()) / (batch["adv"].std() + 1e-6)
    policy_loss = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean() - 0.01 * dist.entropy().mean()
    value_loss = (value - batch["ret"]).square().mean()
    actor_opt.zero_grad()
    critic_opt.zero_grad()
    policy_loss.backward(retain_graph=True)
    torch.nn.utils.clip_grad_norm_(net.pi.parameters(), 0.5)
    (0.5 * value_loss).backward()
    actor_opt.step()
    critic_opt.step()
    return value_loss.item()


def collect(obs, steps=10):
    rows = []
    with torch.no_grad():
        for _ in range(steps):
            logits, value = net(obs)
            dist = torch.distributions.Categorical(logits=logits)
            act = dist.sample()
            nxt, reward, alive = env.move(act)
            rows.append((obs, act, dist.log_prob(act), value, reward, alive))
            obs = nxt
        last = net(obs)[1]
    o, a, lp, v, r, m = (torch.stack(c) for c in zip(*rows))
    adv = gae(r, v, m, last)
    flat = {"obs": o, "act": a, "logp": lp, "adv": adv, "ret": adv + v}
    return obs, {k: x.flatten(0, 1) for k, x in flat.items()}, r.mean().item()


obs = env.reset()
for update in range(110):
    obs, batch, reward = collect(obs)
    for idx in torch.randperm(80).repeat(2).split(40):
        v = learn({k: x[idx] for k, x in batch.items()})
    if update % 22 == 0:
        print(update, f"reward {reward:.3f} value loss {v:.3f}")
