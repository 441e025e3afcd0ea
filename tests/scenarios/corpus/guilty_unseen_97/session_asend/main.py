# gradwatch-corpus: kind=graph-chain
# holder: interest | taste | page.taste | sessions.ag_frame.f_locals['taste'] | updated | page
# first-bad: 1
# notice: 5
"""Streaming next-track recommender; one listener cohort, endless sessions."""
import asyncio

import torch

from model import TasteModel
from stream import cohort_sessions

STEPS = 220


async def train():
    model = TasteModel(tracks=120, dim=12)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    sessions = cohort_sessions(model.blank(cohort=8), tracks=120)
    page = await anext(sessions)
    total = 0.0
    for step in range(STEPS):
        loss, interest = model.score(page)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.item()
        if step % 40 == 39:
            print(f"step {step + 1:4d}  mean loss {total / 40:.4f}")
            total = 0.0
        page = await sessions.asend(interest)  # <- culprit
    await sessions.aclose()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    asyncio.run(train())
