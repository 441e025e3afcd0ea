# gradwatch-corpus: kind=inplace-modified
# holder: agent.trunk.weight | self.agent.trunk.weight | learner.agent.trunk.weight | self.trunk.weight | actor_loss
# first-bad: 0
# notice: 1
"""Warehouse robot: drive to the shelf, pick, come back.  Async rollout workers feed one learner."""
import asyncio

import torch

from floor import Floor
from learner import Agent, Learner

WORKERS = 3
UPDATES = 60
HORIZON = 20


async def worker(name, agent, inbox, stop):
    floor = Floor(seed=name)
    state = floor.reset()
    while not stop.is_set():
        roll = {"s": [], "a": [], "r": []}
        for _ in range(HORIZON):
            with torch.no_grad():
                dist, _ = agent(state[None])
            a = dist.sample()[0]
            nxt, r, done = floor.step(int(a))
            roll["s"].append(state)
            roll["a"].append(a)
            roll["r"].append(r)
            state = floor.reset() if done else nxt
        await inbox.put((torch.stack(roll["s"]), torch.stack(roll["a"]), torch.tensor(roll["r"])))
        await asyncio.sleep(0)


async def run():
    torch.manual_seed(5)
    agent = Agent(Floor.OBS, Floor.ACTIONS)
    learner = Learner(agent)
    inbox, stop = asyncio.Queue(maxsize=WORKERS), asyncio.Event()
    tasks = [asyncio.create_task(worker(i, agent, inbox, stop)) for i in range(WORKERS)]
    try:
        for u in range(UPDATES):
            s, a, r = await inbox.get()
            info = learner.update(s, a, r)
            if u % 10 == 0:
                print(f"update {u:3d}  " + "  ".join(f"{k}={v:.3f}" for k, v in info.items()))
    finally:
        stop.set()
        for t in tasks:
            t.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    asyncio.run(run())
