"""Hunts for bytes that bring a reader down, led by coverage. By hand, Linux only:

    pip install atheris && python tests/fuzz/hunt.py -runs=1000000     # libFuzzer's own options
    python tests/fuzz/hunt.py --shrink

Begins with `corpus/` beside this file, and adds what reached new code; `--shrink` leaves of it what
the same coverage needs. An input that raises, takes a second, or lets the process grow past 1 GB
ends the hunt and is written to `found-*`.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["gradwatch", "gradwatch_agent"]):
    import readers

CORPUS = Path(__file__).with_name("corpus")
LIMITS = ("-timeout=1", "-rss_limit_mb=1024", "-max_len=4096", "-artifact_prefix=found-")


def hunt(options: list[str]) -> None:
    again = f"{sys.executable} {__file__}"  # by which libFuzzer calls itself, through a shell
    atheris.Setup([again, *LIMITS, *options], readers.read)
    atheris.Fuzz()


def shrink() -> None:
    """By libFuzzer's own merging, which ends its process."""
    with tempfile.TemporaryDirectory() as folder:
        merging = [sys.executable, __file__, "-merge=1", folder, str(CORPUS)]
        subprocess.run(merging, check=True)
        if not any(Path(folder).iterdir()):
            sys.exit("nothing was merged; the corpus is as it was")
        shutil.rmtree(CORPUS)
        shutil.copytree(folder, CORPUS)


def plant() -> None:
    """The good inputs, if they are not there."""
    CORPUS.mkdir(exist_ok=True)
    for example in readers.examples():
        (CORPUS / hashlib.sha1(example).hexdigest()).write_bytes(example)


if __name__ == "__main__":
    if sys.argv[1:] == ["--shrink"]:
        shrink()
    elif any(option.startswith("-merge") for option in sys.argv):
        hunt(sys.argv[1:])
    else:
        plant()
        hunt([str(CORPUS), *sys.argv[1:]])
