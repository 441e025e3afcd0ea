import asyncio
from typing import NamedTuple

import torch


class Page(NamedTuple):
    taste: torch.Tensor
    played: torch.Tensor
    nxt: torch.Tensor
    skipped: torch.Tensor


async def cohort_sessions(taste, tracks):
    """Yields pages of listening; the consumer answers each with the updated taste vectors."""
    gen = torch.Generator().manual_seed(9)
    cohort = taste.shape[0]
    genre = torch.randint(0, 4, (cohort,), generator=gen)
    per = tracks // 4
    while True:
        played = genre[:, None] * per + torch.randint(0, per, (cohort, 5), generator=gen)
        nxt = genre * per + torch.randint(0, per, (cohort,), generator=gen)
        skipped = torch.randint(0, tracks, (cohort,), generator=gen)
        updated = yield Page(taste, played, nxt, skipped)
        if updated is not None:
            taste = updated  # <- culprit
        await asyncio.sleep(0)
