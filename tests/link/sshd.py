"""A real sshd on loopback, with keys, configuration and a run directory of its own."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
from pathlib import Path

import psutil

PROGRAM = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")


class Sshd:
    """Known to ssh as `node3` and `node4` by `folder/config`; lets in `folder/id`."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.run_directory = folder / "far" / "gradwatch"
        (folder / "far").mkdir()
        for name in ("host", "id", "other"):
            self._make_key(name)
        self.let_in("id")
        self.port = _free_port()
        self._options = options
        self._configure()
        self.start()

    def start(self) -> None:
        if os.getuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # where it insists on it
        self._process = subprocess.Popen(
            [PROGRAM, "-D", "-e", "-f", self.folder / "sshd_config"],
            stderr=subprocess.PIPE,
            text=True,
        )
        while "Server listening" not in (line := self._process.stderr.readline()):
            assert line, "sshd did not start"

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process.stderr.close()

    def go_down(self) -> None:
        """With every connection, and without a word."""
        for child in psutil.Process(self._process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # one may end by itself meanwhile
                if child.name().startswith("sshd"):
                    child.kill()
        self.stop()

    def let_in(self, *names: str) -> None:
        keys = [(self.folder / f"{name}.pub").read_text() for name in names]
        (self.folder / "authorized_keys").write_text("".join(keys))

    def trust(self, name: str) -> None:
        """Has ssh expect this key of the host."""
        kind, key, *_ = (self.folder / f"{name}.pub").read_text().split()
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {kind} {key}\n")

    def lock(self, name: str, passphrase: str) -> None:
        """Has ssh ask for it before it can use that key of the user's."""
        words = ["-q", "-p", "-P", "", "-N", passphrase, "-f", str(self.folder / name)]
        subprocess.run(["ssh-keygen", *words], check=True)

    def also_known(self, name: str, *lines: str) -> None:
        """By another name, with lines of its own before those of all names."""
        config = self.folder / "config"
        known = config.read_text().replace("Host node3 node4", f"Host node3 node4 {name}")
        config.write_text("\n".join([f"Host {name}", *lines, known]))

    def _make_key(self, name: str) -> None:
        words = ["-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name)]
        subprocess.run(["ssh-keygen", *words], check=True)

    def _configure(self) -> None:
        self.trust("host")
        server = [
            f"Port {self.port}",
            "ListenAddress 127.0.0.1",
            f"HostKey {self.folder}/host",
            f"AuthorizedKeysFile {self.folder}/authorized_keys",
            "StrictModes no",
            "UsePAM no",
            "PidFile none",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            f"SetEnv GRADWATCH_RUN_DIR={self.run_directory}",
            *self._options,
        ]
        client = [
            "Host node3 node4",
            "HostName 127.0.0.1",
            f"Port {self.port}",
            f"User {getpass.getuser()}",
            f"IdentityFile {self.folder}/id",
            "IdentitiesOnly yes",
            f"UserKnownHostsFile {self.folder}/known_hosts",
            "StrictHostKeyChecking yes",
        ]
        (self.folder / "sshd_config").write_text("\n".join([*server, ""]))
        (self.folder / "config").write_text("\n".join([*client, ""]))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
