# gradwatch-corpus: kind=none
# about: evaluation of deep copies in a worker thread with its own inference_mode, one at a time; newest loss kept as attribute
"""Training in the event loop, judging in a worker thread on a frozen copy; at most one judge is at work."""
import asyncio
import concurrent.futures
import copy

import torch
from torch import nn

torch.manual_seed(61)
truth = torch.randn(24, 5)


def draw(n):
    x = torch.randn(n, 24)
    return x, (x @ truth).abs().argmax(1)


def judge(net, exam, tag):
    """runs in the pool; the thread has its own grad mode"""
    net.eval()
    with torch.inference_mode():
        right = [(net(x).argmax(1) == y).float().mean() for x, y in exam]
    return tag, torch.stack(right).mean().item()


class Session:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(24, 64), nn.ELU(), nn.Dropout(.1), nn.Linear(64, 64), nn.ELU(), nn.Linear(64, 5))
        self.opt = torch.optim.NAdam(self.net.parameters(), lr=3e-3)
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.exam = [draw(250) for _ in range(8)]
        self.marks, self.last = [], None

    async def learn(self, steps, bell):
        for n in range(steps):
            x, y = draw(96)
            self.last = nn.functional.cross_entropy(self.net(x), y, label_smoothing=.02)
            self.opt.zero_grad()
            self.last.backward()
            self.opt.step()
            if n % 25 == 24:
                bell.set()
            await asyncio.sleep(0)
        bell.finished = True
        bell.set()

    async def examine(self, bell):
        loop = asyncio.get_running_loop()
        while True:
            await bell.wait()
            if bell.finished:
                return
            bell.clear()
            tag, mark = await loop.run_in_executor(self.pool, judge, copy.deepcopy(self.net), self.exam, len(self.marks))
            self.marks.append(mark)
            if tag % 4 == 0:
                print(f"judge {tag}: accuracy {mark:.3f}, training loss at that time {self.last.item():.3f}")


async def main():
    s, bell = Session(), asyncio.Event()
    bell.finished = False
    await asyncio.gather(s.learn(600, bell), s.examine(bell))
    s.pool.shutdown()
    print("marks", [round(m, 3) for m in s.marks[-3:]])


asyncio.run(main())
