import asyncio
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Row:
    section: str
    step: int
    values: dict[str, Any] = field(default_factory=dict)

    def number(self, key):
        return float(self.values[key])


class Scribe:
    """Accepts rows without blocking the caller; every row is handled by its own small task."""

    def __init__(self, sections):
        self.totals = dict.fromkeys(sections, 0)
        self.lock = asyncio.Lock()
        self.pending = []

    def note(self, section, step, **values):
        row = Row(section, step, values)
        self.pending.append(asyncio.create_task(self._write(row)))  # <- culprit

    async def _write(self, row):
        async with self.lock:
            self.totals[row.section] += 1
        return row  # <- culprit

    async def close(self):
        rows = await asyncio.gather(*self.pending)
        out = {}
        for section, count in self.totals.items():
            mine = [r for r in rows if r.section == section]
            keys = mine[0].values if mine else ()
            means = {k: sum(r.number(k) for r in mine) / len(mine) for k in keys}
            out[section] = f"{count} rows  " + "  ".join(f"{k}={v:.4f}" for k, v in means.items())
        return out
