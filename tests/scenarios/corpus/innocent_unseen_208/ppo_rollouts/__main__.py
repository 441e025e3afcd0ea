# gradwatch-corpus: kind=none
"""python -m ppo_rollouts"""
from collections import deque

import torch
from torch.nn import functional as F

from .buffer import RolloutBuffer
from .policy import GaussianPolicy, Pendulum

ENVS, HORIZON, ROUNDS, EPOCHS = 16, 8, 120, 4
CLIP, TARGET_KL = 0.2, 0.05


def surrogate(policy, batch):
    dist = policy.dist(batch["obs"])
    logp = dist.log_prob(batch["action"]).sum(-1)
    ratio = (logp - batch["logp"]).exp()
    adv = (batch["adv"] - batch["adv"].mean()) / (batch["adv"].std() + 1e-6)
    gain = torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
    kl = (batch["logp"] - logp).mean()
    value_loss = F.mse_loss(policy.value(batch["obs"]), batch["ret"])
    return -gain + 0.5 * value_loss - 0.003 * dist.entropy().mean(), kl


def main():
    torch.manual_seed(6)
    env = Pendulum(ENVS, seed=6)
    policy = GaussianPolicy()
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    buf = RolloutBuffer(gamma=0.95, lam=0.9)
    losses, kls, rewards = [], deque(maxlen=20), []
    for k in range(ROUNDS):
        buf.reset()
        for _ in range(HORIZON):
            obs = env.obs()
            action, logp, value = policy.act(obs)
            reward, done = env.step(action)
            buf.store(obs=obs, action=action, logp=logp, value=value, reward=reward, done=done)
        with torch.no_grad():
            buf.finish(policy.value(env.obs()))
        batch = buf.flat()
        rewards.append(batch["reward"].mean().item())
        for _ in range(EPOCHS):
            loss, kl = surrogate(policy, batch)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(float(loss))
            kls.append(kl)
        if torch.stack(tuple(kls)).mean().item() > TARGET_KL:
            for group in opt.param_groups:
                group["lr"] *= 0.8
        if k % 30 == 29:
            print(f"round {k + 1}: reward {sum(rewards[-30:]) / 30:.2f} loss {sum(losses[-30:]) / 30:.3f}")


if __name__ == "__main__":
    main()
