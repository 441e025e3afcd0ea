"""What a process uses, with and without what its allocator keeps for itself."""

import ctypes
import subprocess
import sys

import pytest

TEXT = """
from gradwatch_agent.link.memory import MemorySampler

usual, exact = MemorySampler(), MemorySampler(exact=True)
between = []
for _ in range(200):
    freed = b"x" * 100_000
    between.append(bytes(20_000))  # keeps what is freed from going back by itself
    between.append(freed)
del between[1::2], freed
print(usual.look(0.0, 0).rss_bytes - exact.look(0.0, 0).rss_bytes)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"),
    reason="the allocator cannot be asked to give memory back",
)
def test_an_exact_look_leaves_out_what_the_allocator_keeps():
    done = subprocess.run([sys.executable, "-c", TEXT], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 10_000_000
