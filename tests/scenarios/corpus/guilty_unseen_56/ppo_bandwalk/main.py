# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch

from policy import ActorCritic
from rollout import Walk, collect, gae

CFG = dict(n_env=8, horizon=16, epochs=4, updates=30, clip=0.2, vf=0.5, ent=0.01, lr=7e-4)


def ppo_loss(policy, data, adv, ret, cfg):
    dist, val = policy(data["obs"])
    logp = dist.log_prob(data["act"])
    ratio = torch.exp(logp - data["logp"])  # <- culprit
    norm = (adv - adv.mean()) / (adv.std() + 1e-8)
    surr = torch.min(ratio * norm, ratio.clamp(1 - cfg["clip"], 1 + cfg["clip"]) * norm)
    return -surr.mean() + cfg["vf"] * (val - ret).pow(2).mean() - cfg["ent"] * dist.entropy().mean()


def main():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    env = Walk(CFG["n_env"], torch.Generator().manual_seed(5))
    policy = ActorCritic(3, 3)
    opt = torch.optim.Adam(policy.parameters(), lr=CFG["lr"], eps=1e-5)
    for upd in range(CFG["updates"]):
        data, last = collect(env, policy, CFG["horizon"])
        adv, ret = gae(data, last)
        for _ in range(CFG["epochs"]):
            loss = ppo_loss(policy, data, adv, ret, CFG)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            opt.step()
        if upd % 5 == 0:
            print(f"update {upd} reward {data['rew'].mean():.3f} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
