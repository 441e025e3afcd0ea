# gradwatch-corpus: kind=none
"""Asynchronous REINFORCE on a corridor: actors queue episodes, one learner drains them."""
import asyncio

import torch
from torch import nn


class Corridor:
    def __init__(self, length, gen):
        self.length, self.gen = length, gen

    def reset(self, n):
        self.pos = torch.randint(1, self.length - 1, (n,), generator=self.gen)
        return self.observe()

    def observe(self):
        return nn.functional.one_hot(self.pos, self.length).float()

    def step(self, action):
        self.pos = (self.pos + 2 * action - 1).clamp(0, self.length - 1)
        return self.observe(), (self.pos == self.length - 1).float()


async def actor(name, policy, env, episodes, gate):
    while True:
        await gate.wait()
        obs, logs, rewards = env.reset(8), [], []
        for _ in range(6):
            dist = torch.distributions.Categorical(logits=policy(obs))
            act = dist.sample()
            obs, reward = env.step(act)
            logs.append(dist.log_prob(act))
            rewards.append(reward)
        await episodes.put((name, torch.stack(logs), torch.stack(rewards)))
        await asyncio.sleep(0)


async def learner(policy, episodes, gate, updates, quota):
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    book, score = {}, 0.0
    for update in range(updates):
        gate.set()
        batch = [await episodes.get() for _ in range(quota)]
        gate.clear()
        while not episodes.empty():
            batch.append(episodes.get_nowait())
        loss = 0.0
        for name, logp, rew in batch:
            returns = rew.flip(0).cumsum(0).flip(0)
            loss = loss - (logp * (returns - returns.mean())).mean() / len(batch)
            book[name] = logp
            score += 0.02 * (rew.mean().item() - score)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if update % 70 == 0:
            conf = {n: round(lp.exp().mean().item(), 2) for n, lp in sorted(book.items())}
            print(f"update {update} reward {score:.3f} confidence {conf}")
        await asyncio.sleep(0)


async def main(updates=420, actors=3):
    torch.manual_seed(44)
    gen = torch.Generator().manual_seed(45)
    policy = nn.Sequential(nn.Linear(9, 32), nn.Tanh(), nn.Linear(32, 2))
    episodes, gate = asyncio.Queue(maxsize=16), asyncio.Event()
    crew = [
        asyncio.create_task(actor(f"a{i}", policy, Corridor(9, gen), episodes, gate)) for i in range(actors)
    ]
    await learner(policy, episodes, gate, updates, quota=actors)
    for task in crew:
        task.cancel()
    await asyncio.gather(*crew, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main())
