"""Runs the coroutines of one interval with bounded concurrency and keeps the books on them."""
import asyncio


class Dispatcher:
    def __init__(self, limit):
        self.limit = limit
        self.issued = []
        self._gate = None

    async def _guarded(self, coro):
        if self._gate is None:
            self._gate = asyncio.Semaphore(self.limit)
        async with self._gate:
            return await coro

    async def fan_out(self, coros):
        batch = [asyncio.create_task(self._guarded(c)) for c in coros]
        self.issued.extend(batch)  # <- culprit
        return await asyncio.gather(*batch)

    async def close(self):
        for task in self.issued:
            if not task.done():
                task.cancel()

    def report(self):
        failed = sum(1 for t in self.issued if t.done() and not t.cancelled() and t.exception() is not None)
        return f"{len(self.issued)} zone requests, {failed} failed"
