"""Nothing committed names the machine it was written on."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORTEST = 5
"""A home of `/` or `/app` would be found in every file."""


def tracked_files() -> list[Path]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [path for name in names.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_tracked_file_names_a_path_of_this_machine():
    places = {f"{place}/" for place in (Path.home(), ROOT, Path(sys.prefix))}
    places = {place for place in places if len(place) > SHORTEST}
    found = [
        (str(path.relative_to(ROOT)), place)
        for path in tracked_files()
        for place in places
        if place.encode() in path.read_bytes()
    ]
    assert found == []
