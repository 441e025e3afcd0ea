# gradwatch-corpus: kind=graph-held
# holder: self.mean | self.sq | scale.mean | scale.sq | agent.scale.mean | agent.scale.sq | self.scale.mean | self.scale.sq
# first-bad: 1
"""Chapter 4 experiments: synchronous advantage actor-critic on a windy grid world, 8 parallel copies.
Returns are rescaled by running moments as in my earlier PopArt notes."""
import random

import torch

from agent import ActorCritic, A2CAgent
from env import WindyGrid

SEED = 4
UPDATES = 320
N_ENVS = 8
HORIZON = 6

random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)


def rollout(agent, envs, obs, horizon):
    logps, entropies, values, rewards, dones = [], [], [], [], []
    for _ in range(horizon):
        dist, value = agent.net(obs)
        action = dist.sample()
        nxt, rew, done = [], [], []
        for env, a in zip(envs, action.tolist()):
            o, r, d = env.step(a)
            nxt.append(env.reset() if d else o)
            rew.append(r)
            done.append(float(d))
        logps.append(dist.log_prob(action))
        entropies.append(dist.entropy())
        values.append(value)
        rewards.append(torch.tensor(rew))
        dones.append(torch.tensor(done))
        obs = torch.stack(nxt)
    return dict(logp=torch.stack(logps), ent=torch.stack(entropies), value=torch.stack(values),
                reward=rewards, done=dones), obs


def main():
    envs = [WindyGrid(rng=random.Random(SEED + i)) for i in range(N_ENVS)]
    net = ActorCritic(WindyGrid.OBS, WindyGrid.ACTIONS)
    agent = A2CAgent(net, gamma=0.97, lr=7e-3)
    obs = torch.stack([e.reset() for e in envs])
    reward_window = []
    for update in range(UPDATES):
        batch, obs = rollout(agent, envs, obs, HORIZON)
        info = agent.learn(batch, obs)
        reward_window.append(sum(r.mean().item() for r in batch["reward"]) / HORIZON)
        if update % 80 == 79:
            recent = reward_window[-40:]
            print(f"update {update + 1:4d}  reward/step {sum(recent) / len(recent):+.3f}  "
                  f"pi {info['pi']:+.4f}  v {info['v']:.4f}  H {info['ent']:.3f}")


if __name__ == "__main__":
    main()
