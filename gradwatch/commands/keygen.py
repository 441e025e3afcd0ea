"""`gradwatch keygen`: the keys with which a job may listen on TCP, and be watched there."""

from __future__ import annotations

import re
from pathlib import Path

import click

from gradwatch.commands import errors
from gradwatch_agent import endpoints


def run(directory: Path | None, viewer: str) -> int:
    """Makes what is missing, overwrites nothing, and says what to do with it."""
    from gradwatch.sources import keys

    if not re.fullmatch(r"[\w.-]+", viewer) or viewer == "agent" or viewer.startswith("."):
        raise errors.Unusable(f"{viewer!r} cannot name a viewer's key.")
    folder = directory or endpoints.keys_folder()
    try:
        given = keys.make(folder, viewer)
    except FileExistsError:
        raise errors.Unusable(f"{folder} has a key for {viewer} already; it stays.") from None
    except (OSError, KeyError, ValueError) as error:
        raise errors.Failed(f"cannot make keys in {folder}: {error}.") from None
    elsewhere = "" if directory is None else f"GRADWATCH_KEYS={folder} "
    click.echo(
        f"{given}: copy it to {viewer}'s machine over a secure channel; whoever has it can watch.\n"
        f"{folder}: stays where the job runs; delete viewers/{viewer}.key there to revoke it.\n\n"
        f"  there:  {elsewhere}GRADWATCH_ENDPOINT=tcp://0.0.0.0:5555 python train.py\n"
        f"  here:   gradwatch attach tcp://HOST:5555 --key {given.name}"
    )
    return errors.NOTHING_FOUND
