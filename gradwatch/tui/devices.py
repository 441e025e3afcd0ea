"""Which of a job's devices is told of, and how full it is.

Must not know plots, tables or words. Pure.
"""

from __future__ import annotations

from gradwatch_agent import wire


def fullest(sample: wire.Memory) -> wire.DeviceMemory | None:
    """The device with the greatest part in use; None if the job has none that is known."""
    known = [device for device in sample.devices if device_bytes(device) is not None]
    return max(known, key=lambda d: (device_bytes(d) or 0) / (d.total_bytes or 1), default=None)


def device_bytes(device: wire.DeviceMemory) -> int | None:
    """What is in use on it: by all, as far as the driver tells, else by this process."""
    if device.used_bytes is not None:
        return device.used_bytes
    return device.reserved_bytes if device.reserved_bytes is not None else device.allocated_bytes
