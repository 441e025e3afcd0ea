# gradwatch-corpus: kind=none
"""Recurrent PPO on a small memory task; segments start from stored states."""
import torch
from torch import nn

from agent import RecurrentActorCritic
from rollout import RolloutStore, TMaze

torch.set_num_threads(1)
torch.manual_seed(14)


@torch.no_grad()
def collect(env, agent, store, horizon, segment):
    store.clear()
    obs, state = env.obs(), store.last_state
    for t in range(horizon):
        if t % segment == 0:
            store.begin_segment(state)
        dist, value, state = agent(obs.unsqueeze(1), state)
        action = dist.sample()
        reward, done = env.step(action.squeeze(1))
        store.add(obs, action.squeeze(1), dist.log_prob(action).squeeze(1), value.squeeze(1), reward, done)
        state = state * (1 - done).view(1, -1, 1)
        obs = env.obs()
    _, value, _ = agent(obs.unsqueeze(1), state)
    store.last_state = state
    store.finish(value.squeeze(1))


def segment_loss(agent, seg, clip=0.2):
    dist, value, _ = agent(seg["obs"], seg["state"], seg["done"])
    logp = dist.log_prob(seg["action"])
    ratio = (logp - seg["logp"]).exp()
    adv = seg["advantage"]
    surrogate = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv)
    kl = (seg["logp"] - logp).mean()
    return -surrogate.mean() + 0.5 * (value - seg["return"]).pow(2).mean() - 0.01 * dist.entropy().mean(), kl


def main(rollouts=8, epochs=4, horizon=24, segment=6):
    env = TMaze(workers=6)
    agent = RecurrentActorCritic(env.obs_dim, env.n_actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3)
    store = RolloutStore(torch.zeros(1, 6, agent.hidden))
    for r in range(rollouts):
        collect(env, agent, store, horizon, segment)
        kls = []
        for _ in range(epochs):
            for seg in store.segments(segment):
                loss, kl = segment_loss(agent, seg)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
                kls.append(kl.item())
        print(f"rollout {r} mean reward {store.mean_reward():.3f} kl {sum(kls) / len(kls):.4f}")


if __name__ == "__main__":
    main()
