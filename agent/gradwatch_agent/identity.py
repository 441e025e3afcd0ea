"""Whose messages these are: the job, its process, its place among the ranks."""

from __future__ import annotations

import os
import platform
import socket
import sys
import time
import uuid

import torch

import gradwatch_agent
from gradwatch_agent import runfile, wire
from gradwatch_agent.settings import Settings


def introduce(settings: Settings) -> wire.Hello:
    """The first message of a run."""
    rank, world_size = _rank()
    return wire.Hello(
        run=uuid.uuid4().hex,
        job=settings.name,
        host=socket.gethostname(),
        pid=os.getpid(),
        started=runfile.process_started(os.getpid()) or time.time(),
        rank=rank,
        world_size=world_size,
        script=sys.argv[0] if sys.argv else "",
        python=platform.python_version(),
        torch=str(torch.__version__),
        agent=gradwatch_agent.__version__,
        budget=settings.budget,
        attached=settings.attached,
    )


def _rank() -> tuple[int, int]:
    """The place of this process in its group: as torch knows it, else as its launcher said."""
    distributed = torch.distributed
    if distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    rank, world_size = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "")
    return int(rank) if rank.isdigit() else 0, int(world_size) if world_size.isdigit() else 1
