"""Looks at memory: the process, its limit, torch's allocator, the devices.

Owns where each number comes from. Runs on the agent's own thread; never synchronises with a
device. Every source is optional: what cannot be had is left out.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psutil

from gradwatch_agent.wire import DeviceMemory, Memory

_LIMITS: Final = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ),
)
"""Limit and use of the cgroup, versions 2 and 1, as a container sees its own."""


class MemorySampler:
    """Reads one process's memory; made on the thread that reads.

    `exact`: what the allocator keeps for itself is first given back, so that the process's memory
    is what is in use. That takes milliseconds, and is for a check: there every node is asked for
    its line, and what torch notes for that lies between the tensors, so that what one leaves free
    is often too small for the next.
    """

    def __init__(self, *, exact: bool = False) -> None:
        self._trim = _trimming() if exact else None
        self._process = psutil.Process()
        self._machine = psutil.virtual_memory().total
        self._peak = 0
        self._limits = next((pair for pair in _LIMITS if _number(pair[0]) is not None), None)
        self._handles: dict[str, Any] = {}

    def look(self, at: float, iteration: int) -> Memory:
        """One sample, in bytes. `at` in seconds since the epoch."""
        if self._trim is not None:
            self._trim(0)
        rss = int(self._process.memory_info().rss)
        self._peak = max(self._peak, rss)
        limit, used, kind = self._limit()
        devices = tuple(self._device(index) for index in _devices_in_use())
        known = [d for d in devices if d.allocated_bytes is not None]
        return Memory(
            at=at,
            iteration=iteration,
            rss_bytes=rss,
            peak_rss_bytes=self._peak,
            limit_bytes=limit,
            limit_used_bytes=used,
            limit_kind=kind,
            allocated_bytes=sum(d.allocated_bytes or 0 for d in known) if known else None,
            reserved_bytes=sum(d.reserved_bytes or 0 for d in known) if known else None,
            devices=devices,
        )

    def cpu_seconds(self) -> float:
        """Processor time of the process so far, all its threads."""
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def _limit(self) -> tuple[int, int, str]:
        """What the process may use, what is used of it, and who sets the limit."""
        if self._limits is not None:
            limit, used = _number(self._limits[0]), _number(self._limits[1])
            if limit is not None and used is not None and limit < self._machine:
                return limit, used, "cgroup"
        memory = psutil.virtual_memory()
        return int(memory.total), int(memory.total - memory.available), "machine"

    def _device(self, index: int) -> DeviceMemory:
        cuda = sys.modules["torch"].cuda
        device = cuda.get_device_properties(index)
        uuid = f"GPU-{device.uuid}"
        used, total = self._driver_says(uuid)
        return DeviceMemory(
            uuid=uuid,
            used_bytes=used,
            total_bytes=total or device.total_memory,
            allocated_bytes=cuda.memory_allocated(index),
            reserved_bytes=cuda.memory_reserved(index),
            name=device.name,
            index=index,
        )

    def _driver_says(self, uuid: str) -> tuple[int | None, int | None]:
        """Use and size of the whole device; nothing where the driver does not tell (MIG, WDDM)."""
        import pynvml

        with contextlib.suppress(pynvml.NVMLError, OSError):
            if uuid not in self._handles:
                pynvml.nvmlInit()
                self._handles[uuid] = pynvml.nvmlDeviceGetHandleByUUID(uuid)
            info = pynvml.nvmlDeviceGetMemoryInfo(self._handles[uuid])
            return int(info.used), int(info.total)
        return None, None


def _devices_in_use() -> list[int]:
    """The CUDA devices this process holds memory on; none before CUDA has been initialised."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return []
    cuda = torch.cuda
    used = [index for index in range(cuda.device_count()) if cuda.memory_reserved(index)]
    return used or [cuda.current_device()]


def _number(path: Path) -> int | None:
    """The number in a file; None if there is none ("max" means no limit)."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _trimming() -> Callable[[int], int] | None:
    """What gives free memory back to the system; glibc alone has it."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
