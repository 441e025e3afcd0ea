# gradwatch-corpus: kind=none
"""Asynchronous bandit actors feed one learner; reporting runs behind the learner."""
import asyncio

import torch
from torch import nn

ARMS = 6


class Env:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.theta = torch.randn(4, ARMS, generator=torch.Generator().manual_seed(99))

    def contexts(self, n=16):
        return torch.randn(n, 4, generator=self.gen)

    def pull(self, ctx, arm):
        mean = (ctx @ self.theta).gather(1, arm[:, None]).squeeze(1)
        return mean + 0.1 * torch.randn(len(arm), generator=self.gen)


async def actor(env, policy, queue, n):
    for _ in range(n):
        ctx = env.contexts()
        with torch.no_grad():
            arm = torch.distributions.Categorical(logits=policy(ctx)).sample()
        await queue.put((ctx, arm, env.pull(ctx, arm)))


class Reporter:
    def __init__(self, every):
        self.every = every
        self.pending = asyncio.Queue(maxsize=every)
        self.lines = 0

    async def submit(self, loss, entropy):
        await self.pending.put((loss, entropy))
        if self.pending.full():
            await self.flush()

    async def flush(self):
        got = []
        while not self.pending.empty():
            got.append(self.pending.get_nowait())
        self.lines += 1
        await asyncio.sleep(0)
        mean = sum(l.item() for l, _ in got) / len(got)
        print(f"report {self.lines}: loss {mean:.3f} entropy {got[-1][1].item():.3f}")


async def learner(policy, queue, reporter, n):
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    baseline = 0.0
    for _ in range(n):
        ctx, arm, reward = await queue.get()
        dist = torch.distributions.Categorical(logits=policy(ctx))
        entropy = dist.entropy().mean()
        loss = -(dist.log_prob(arm) * (reward - baseline)).mean() - 0.01 * entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        baseline = 0.9 * baseline + 0.1 * reward.mean().item()
        await reporter.submit(loss, entropy)
    print("final baseline", round(baseline, 3))


async def main(n_actors=4, per_actor=110):
    torch.manual_seed(6)
    policy = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, ARMS))
    queue = asyncio.Queue(maxsize=8)
    reporter = Reporter(every=55)
    actors = [asyncio.create_task(actor(Env(s), policy, queue, per_actor)) for s in range(n_actors)]
    await learner(policy, queue, reporter, n_actors * per_actor)
    await asyncio.gather(*actors)


if __name__ == "__main__":
    asyncio.run(main())
