"""The dashboard as a page: what opens it, and what becomes of its processes."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import signal
import socket
import subprocess
import sys
import termios

import pytest

pytest.importorskip("aiohttp", reason='needs pip install "gradwatch[serve]"')
pytest.importorskip("textual_serve", reason='needs pip install "gradwatch[serve]"')

from .commands import GRADWATCH, ran
from .serving import all_gone, browser, closed, served, shown


async def test_a_page_shows_the_job_and_takes_keys(start_job):
    start_job(name="run-7").tell("post 3")
    with served() as server:
        async with browser() as someone:
            await someone.open(server.link)
            async with someone.join() as page:
                assert "run-7" in await shown(page, "run-7")
                await page.send_json(["stdin", "?"])
                assert "freeze the display" in await shown(page, "freeze the display")


async def test_each_page_has_a_process_that_ends_with_it(start_job):
    start_job(name="run-7")
    with served("run-7") as server:
        async with browser() as someone:
            await someone.open(server.link)
            async with someone.join() as one:
                await shown(one, "run-7")
                first = server.pages
                async with someone.join() as other:
                    await shown(other, "run-7")
                    second = [process for process in server.pages if process not in first]
                    assert (len(first), len(second)) == (1, 1)
                assert await asyncio.to_thread(all_gone, second)
                assert server.pages == first
            assert await asyncio.to_thread(all_gone, first)


async def test_a_page_that_is_left_by_its_key_is_closed(start_job):
    start_job(name="run-7")
    with served() as server:
        async with browser() as someone:
            await someone.open(server.link)
            async with someone.join() as page:
                await shown(page, "run-7")
                await page.send_json(["stdin", "q"])
                assert await closed(page) == 1000
            assert await asyncio.to_thread(all_gone, server.pages)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
async def test_however_the_server_ends_its_pages_do(start_job, number, code):
    start_job(name="run-7")
    with served() as server:
        async with browser() as someone:
            await someone.open(server.link)
            async with someone.join() as page:
                await shown(page, "run-7")
                processes = server.pages
                assert processes
                server.command.process.send_signal(number)
                await closed(page)
            assert await asyncio.to_thread(server.command.end) == code
            assert await asyncio.to_thread(all_gone, processes)


async def test_a_page_whose_job_is_gone_says_so(start_job):
    job = start_job(name="run-7")
    with served("run-7") as server:
        job.tell("stop")
        job.end()
        async with browser() as someone:
            await someone.open(server.link)
            async with someone.join() as page:
                assert "No job 'run-7' runs here" in await shown(page, "No job 'run-7' runs here")
                await closed(page)


async def test_enter_makes_a_new_link_in_the_place_of_the_old_one():
    terminal, theirs = pty.openpty()
    with subprocess.Popen(
        [*GRADWATCH, "serve"], stdin=theirs, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: _take(theirs), start_new_session=True,
    ) as server:  # fmt: skip
        try:
            old = server.stdout.readline().strip()
            os.write(terminal, b"\n")
            new = server.stdout.readline().strip()
            async with browser() as someone:
                assert (await someone.get(old))[0] == 403
                await someone.open(new)
        finally:
            server.kill()
            os.close(terminal)
            os.close(theirs)


def _take(terminal: int) -> None:
    """Makes it the terminal of this process."""
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def test_it_listens_on_loopback_only():
    with served() as server:
        listening = [c.laddr for c in server.process.net_connections() if c.status == "LISTEN"]
        assert [address.ip for address in listening] == ["127.0.0.1"]


def test_a_port_can_be_asked_for_and_one_that_is_taken_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = ran("serve", "--port", str(port))
    assert refused.returncode == 2
    assert refused.stderr == f"gradwatch: cannot listen on port {port}: Address already in use.\n"
    with served("--port", str(port)) as server:
        assert server.link.startswith(f"http://127.0.0.1:{port}/?token=")


def test_a_target_that_is_not_there_is_refused_before_anything_is_served():
    refused = ran("serve", "run-7")
    assert refused.returncode == 3
    assert refused.stderr.startswith("gradwatch: No job 'run-7' runs here")


@pytest.mark.parametrize("missing", ["aiohttp", "textual_serve"])
def test_without_the_extra_the_install_line_is_given(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from gradwatch.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve"], capture_output=True, text=True, timeout=60
    )
    line = 'what serves the dashboard is not installed: pip install "gradwatch[serve]"'
    assert (done.returncode, done.stderr) == (2, f"gradwatch: {line}\n")
