"""The keys with which a viewer is let in over TCP: made, written, read, shown.

Owns the folder that `gradwatch keygen` makes: the agent's secret, a public key for each viewer
who may watch, and the file that such a viewer is given. The agent reads the first two.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zmq

from gradwatch_agent import endpoints

_AGENT: Final = "agent.secret"
_VIEWERS: Final = "viewers"
_LARGEST: Final = 4_096
"""Bytes of a key file that are read; it has some 300."""


class BadKey(ValueError):
    """The file is no viewer's key; says why."""


@dataclass(frozen=True, slots=True)
class ViewerKey:
    """A viewer's own pair, and the public key of the agent it trusts; all as text (Z85)."""

    public: bytes
    secret: bytes
    agent: bytes

    def show(self, socket: zmq.Socket[bytes]) -> None:
        """Has the socket prove itself with it, and talk to nobody but that agent."""
        socket.set(zmq.CURVE_PUBLICKEY, self.public)
        socket.set(zmq.CURVE_SECRETKEY, self.secret)
        socket.set(zmq.CURVE_SERVERKEY, self.agent)


def read(path: Path) -> ViewerKey:
    """The key in a file that `make` wrote for a viewer; a bare name that is not here is looked for
    in the folder of keys. Raises `BadKey`.
    """
    if path.name == str(path) and not path.exists() and (endpoints.keys_folder() / path).exists():
        path = endpoints.keys_folder() / path
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode("ascii")
    except OSError as error:
        raise BadKey(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadKey(f"{path} is no key made by gradwatch keygen") from None
    fields = dict(_field(line) for line in text.splitlines() if "=" in line)
    try:
        key = ViewerKey(fields["public-key"], fields["secret-key"], fields["agent-key"])
        matches = zmq.curve_public(key.secret) == key.public
    except (KeyError, ValueError, zmq.ZMQError):
        matches = False
    if not matches or len(key.agent) != len(key.public):
        raise BadKey(f"{path} is no viewer's key made by gradwatch keygen")
    return key


def make(folder: Path, viewer: str) -> Path:
    """Makes the agent's key if it is not there yet, and one for a viewer; gives the file of that.

    Raises OSError; FileExistsError if the viewer has a key already.
    """
    (folder / _VIEWERS).mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    if not (folder / _AGENT).exists():
        public, secret = zmq.curve_keypair()
        _write(folder / _AGENT, {"public-key": public, "secret-key": secret})
    agent = dict(map(_field, (folder / _AGENT).read_text().splitlines()[1:]))["public-key"]
    public, secret = zmq.curve_keypair()
    given = folder / f"{viewer}.secret"
    _write(given, {"public-key": public, "secret-key": secret, "agent-key": agent})
    _write(folder / _VIEWERS / f"{viewer}.key", {"public-key": public})
    return given


def _write(path: Path, fields: dict[str, bytes]) -> None:
    """In the format of ZeroMQ's certificates, for its own tools to read."""
    lines = [f'    {name} = "{value.decode()}"' for name, value in fields.items()]
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write("\n".join(["curve", *lines, ""]))


def _field(line: str) -> tuple[str, bytes]:
    name, _, value = line.partition("=")
    return name.strip(), value.strip().strip('"').encode()
