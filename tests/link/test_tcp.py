"""A job on TCP: encrypted, and open to whom the keys allow; to nobody else."""

from __future__ import annotations

import secrets
import socket
import stat
import threading
from pathlib import Path

import pytest
import zmq

from gradwatch.sources import keys, port
from gradwatch.sources.place import Unreachable
from gradwatch.sources.port import Port
from gradwatch_agent import runfile, wire
from gradwatch_agent.link.outlet import Outlet, locked

from .commands import ran, started

MB = 1 << 20


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("GRADWATCH_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
def key(folder) -> Path:
    return keys.make(folder, "viewer")


@pytest.fixture
def serve(start_job, key, monkeypatch):
    """A job on a free port; gives it and where it listens."""

    def start(run: str = "r1", name: str = "toy", log: str = ""):
        monkeypatch.setenv("GRADWATCH_ENDPOINT", "tcp://127.0.0.1:0")
        job = start_job(run, name, log)
        return job, next(entry.tcp for entry in runfile.running() if entry.run == run)

    return start


def refused(watcher) -> int:
    """How many the agent has counted, as it tells those whom it lets in."""
    return watcher.beat("r1").rejected


def test_who_has_a_key_sees_everything(serve, key, watch):
    job, endpoint = serve()
    job.tell("post 2000")
    watcher = watch(places=[Port(endpoint, keys.read(key))])
    watcher.until(lambda: watcher.covered(endpoint) == 2000)
    job.tell("turns 600")
    watcher.until(lambda: watcher.covered(endpoint) == 2600)
    job.tell("stop")
    watcher.until(lambda: watcher.jobs[endpoint].bye is not None)


def test_the_private_socket_is_there_besides(serve, watch):
    serve()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))


def test_watch_over_tcp(serve, key):
    job, endpoint = serve()
    with started("watch", endpoint, "--key", str(key), "--until-exit") as watch:
        assert watch.noted() == f"gradwatch: watching toy (pid {job.pid})"
        job.tell("finding")
        assert " graph-chain raised " in watch.said()
        job.tell("stop")
        assert watch.noted() == "gradwatch: toy finished after 0 iterations"
        assert watch.end() == 0


def test_a_killed_job_is_lost_and_in_the_end_gone(serve, key, watch, monkeypatch):
    monkeypatch.setattr(port, "_GONE_S", 0.0)
    job, endpoint = serve()
    place = Port(endpoint, keys.read(key))
    watcher = watch(places=[place])
    watcher.until(lambda: watcher.is_up(endpoint))
    job.kill()
    watcher.until(lambda: "lost" in watcher.jobs[endpoint].findings)
    while place.jobs():
        watcher.source._thread.join(0.05)


def test_a_wrong_key_gets_one_sentence_and_is_counted(serve, key, watch, tmp_path):
    job, endpoint = serve()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    stranger = keys.make(tmp_path / "others", "viewer")
    ours, theirs = keys.read(key), keys.read(stranger)
    stranger.write_text(stranger.read_text().replace(theirs.agent.decode(), ours.agent.decode()))

    done = ran("watch", endpoint, "--key", str(stranger))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"gradwatch: {endpoint} does not allow this key: ")
    assert len(done.stderr.splitlines()) == 1
    watcher.until(lambda: refused(watcher) >= 1)
    job.tell("stop")
    told = "someone without an allowed key was refused"
    assert job.end().count(told) == 1


def test_another_agents_key_gets_one_sentence(serve, tmp_path):
    _, endpoint = serve()
    stranger = keys.make(tmp_path / "others", "viewer")
    done = ran("attach", endpoint, "--key", str(stranger))
    assert done.returncode == 3
    assert "another key than this one was made for" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_no_key_is_refused_at_once(serve):
    _, endpoint = serve()
    done = ran("watch", endpoint)
    assert done.returncode == 2
    assert "--key FILE" in done.stderr


def test_plain_zmq_and_plain_tcp_get_no_data_and_are_counted(serve, watch):
    job, endpoint = serve()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    with zmq.Context() as context, context.socket(zmq.SUB) as plain:
        plain.set(zmq.LINGER, 0)
        plain.set(zmq.RECONNECT_IVL, -1)
        plain.subscribe(b"")
        plain.connect(endpoint)
        watcher.until(lambda: refused(watcher) >= 1)
        job.tell("post 30")
        assert not plain.poll(300)
    address = endpoint.removeprefix("tcp://").rsplit(":", 1)
    counted = refused(watcher)
    with socket.create_connection((address[0], int(address[1]))) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\n\r\n" + secrets.token_bytes(4096))
        watcher.until(lambda: refused(watcher) > counted)
        raw.settimeout(10)
        said = b""
        while more := _received(raw):
            said += more
    assert len(said) <= 64  # zmq's own greeting
    watcher.until(lambda: watcher.covered("r1") == 30)


def test_a_key_that_is_added_counts_at_once_and_one_taken_away_no_more(serve, folder, key, watch):
    _, endpoint = serve()
    second = keys.make(folder, "anna")
    Port(endpoint, keys.read(second)).start()
    (folder / "viewers" / "anna.key").unlink()
    done = ran("watch", endpoint, "--key", str(second))
    assert (done.returncode, "does not allow this key" in done.stderr) == (3, True)


def test_without_keys_it_is_refused_and_says_how_to_make_them(start_job, folder, monkeypatch):
    from gradwatch_agent.endpoints import chosen

    with pytest.raises(ValueError, match="TCP needs keys") as told:
        chosen("tcp://127.0.0.1:5555")
    assert "gradwatch keygen" in str(told.value)


def test_nobody_there_and_no_agent_there_are_told_apart(key):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        endpoint = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        closed = Port(endpoint, keys.read(key))
        with pytest.raises(Unreachable) as told:
            closed.start()
        assert str(told.value) == f"{endpoint} cannot be reached: Connection refused."
        other.listen()
        answer = threading.Thread(target=lambda: other.accept()[0].close())
        answer.start()
        with pytest.raises(Unreachable, match="no gradwatch agent"):
            closed.start()
        answer.join()
        with pytest.raises(Unreachable, match=r"cannot be reached: .*(not known|resolution)"):
            Port("tcp://nowhere.invalid:5555", keys.read(key)).start()


def test_ranks_that_inherit_one_port_lie_side_by_side(start_job, key, monkeypatch):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        first = probe.getsockname()[1]
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"tcp://127.0.0.1:{first}")
    for rank in range(2):
        monkeypatch.setenv("LOCAL_RANK", str(rank))
        start_job(f"rank{rank}")
    monkeypatch.delenv("LOCAL_RANK")
    start_job("spawned")  # as multiprocessing does, which tells no rank

    ports = {entry.run: int(entry.tcp.rsplit(":", 1)[1]) for entry in runfile.running()}
    assert ports["rank1"] > ports["rank0"] >= first
    assert len(set(ports.values())) == 3


def test_keygen_makes_private_files_and_overwrites_nothing(tmp_path):
    folder = tmp_path / "keys"
    done = ran("keygen", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"GRADWATCH_KEYS={folder}" in done.stdout
    assert {path.name for path in folder.rglob("*")} == {
        "agent.secret",
        "viewer.secret",
        "viewers",
        "viewer.key",
    }
    for path in (folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert "secret" not in (folder / "viewers" / "viewer.key").read_text()
    before = (folder / "viewer.secret").read_text()
    assert ran("keygen", str(folder)).returncode == 2
    assert ran("keygen", str(folder), "--viewer", "anna").returncode == 0
    assert ran("keygen", str(folder), "--viewer", "../anna").returncode == 2
    assert (folder / "viewer.secret").read_text() == before


def test_a_bare_name_is_looked_for_where_keygen_puts_keys(folder, key):
    assert keys.read(Path(key.name)) == keys.read(key)
    with pytest.raises(keys.BadKey):
        keys.read(Path("other.secret"))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"public-key = 1", b"a=b\n" * 10_000])
def test_a_file_that_is_no_key_is_refused(tmp_path, content):
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(keys.BadKey):
        keys.read(path)
    with pytest.raises(keys.BadKey, match="No such file"):
        keys.read(tmp_path / "nowhere")


def test_a_viewer_over_tcp_may_ask_as_little_as_any_other(serve, key, watch):
    _, endpoint = serve()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    with zmq.Context() as context, context.socket(zmq.XSUB) as asks:
        keys.read(key).show(asks)
        asks.connect(endpoint)
        asks.send(b"\x01" + wire.REPLAY + b"me/" + secrets.token_bytes(40))
        watcher.until(lambda: refused(watcher) == 1)


def test_who_sends_parts_without_end_finds_the_door_shut(serve, key, tmp_path):
    job, endpoint = serve(log=str(tmp_path / "alerts.jsonl"))
    before = int(job.tell("rss"))
    with zmq.Context() as context, context.socket(zmq.XSUB) as mad:
        mad.set(zmq.LINGER, 0)
        thrown_out = mad.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        keys.read(key).show(mad)
        mad.connect(endpoint)
        for _ in range(50_000):
            mad.send(b"m" * 4_000, zmq.SNDMORE)
        mad.send(b"")  # libzmq keeps it back until it is whole, here as well
        assert thrown_out.poll(20_000)
    assert int(job.tell("rss")) - before < 100 * MB
    assert (job.tell("post 5"), job.tell("finding")) == ("done", "done")
    assert job.end().count("a viewer floods this job") == 1
    assert (tmp_path / "alerts.jsonl").read_text().count("graph-chain") == 1


def test_who_asks_much_and_leaves_and_comes_again_finds_it_open(folder, key, monkeypatch):
    monkeypatch.setattr(locked, "ENDLESS_BYTES", 20_000)
    outlet = Outlet(runfile.new_endpoint(), "tcp://127.0.0.1:0", folder)
    question = wire.REPLAY + b"me/" + wire.encode_request(wire.Replay(1, 1))
    with zmq.Context() as context:
        for _ in range(20):
            with context.socket(zmq.XSUB) as asks:
                keys.read(key).show(asks)
                asks.connect(outlet.public)
                for _ in range(100):
                    asks.send(b"\x01" + question)
                    while not asks.poll(1):
                        outlet.serve(list, lambda request: [b"an answer"])
                    assert asks.recv_multipart() == [question, b"an answer"]
                    asks.send(b"\x00" + question)
    assert not outlet._doors[1].shut
    outlet.close()


def _received(raw: socket.socket) -> bytes:
    try:
        return raw.recv(4096)
    except ConnectionResetError:
        return b""
