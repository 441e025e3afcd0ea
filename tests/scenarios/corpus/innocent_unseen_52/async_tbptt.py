# gradwatch-corpus: kind=none
import asyncio
import contextvars
from dataclasses import dataclass

import torch
from torch import nn

STATE = contextvars.ContextVar("state")


@dataclass
class Plan:
    windows: int = 80
    window: int = 6
    batch: int = 10
    hidden: int = 24
    lr: float = 5e-3


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        state = self.cell(x, STATE.get())
        STATE.set(state)
        return self.out(state[0]).squeeze(-1)


async def ticks(queue, plan, seed=17):
    g = torch.Generator().manual_seed(seed)
    phase = torch.rand(plan.batch, generator=g) * 6
    for t in range(plan.windows * plan.window):
        now = torch.stack([torch.sin(phase + 0.2 * t), torch.cos(phase + 0.05 * t)], -1)
        nxt = torch.sin(phase + 0.2 * (t + 1)) * torch.cos(phase + 0.05 * (t + 1))
        await queue.put((now + 0.05 * torch.randn(plan.batch, 2, generator=g), nxt))
    await queue.put(None)


def roll_over():
    STATE.set(tuple(s.detach() for s in STATE.get()))


async def learn(queue, plan):
    model = Forecaster(plan.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=plan.lr)
    STATE.set((torch.zeros(plan.batch, plan.hidden), torch.zeros(plan.batch, plan.hidden)))
    window_loss, seen, history = 0.0, 0, []
    while (item := await queue.get()) is not None:
        x, target = item
        window_loss = window_loss + (model(x) - target).square().mean()
        seen += 1
        if seen % plan.window:
            continue
        opt.zero_grad()
        (window_loss / plan.window).backward()
        opt.step()
        history.append(window_loss.item() / plan.window)
        window_loss = 0.0
        roll_over()
        if len(history) % 20 == 0:
            print(f"window {len(history):3d}  loss {history[-1]:.4f}")
    return history


async def main():
    torch.manual_seed(1)
    plan = Plan()
    queue = asyncio.Queue(maxsize=plan.window)
    _, history = await asyncio.gather(ticks(queue, plan), learn(queue, plan))
    print(f"first {history[0]:.4f} last {history[-1]:.4f}")


if __name__ == "__main__":
    asyncio.run(main())
