"""Who is not let in: each request is made for real, by a client that lies as attackers can."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator

import psutil
import pytest
import pytest_asyncio

pytest.importorskip("aiohttp", reason='needs pip install "gradwatch[serve]"')
pytest.importorskip("textual_serve", reason='needs pip install "gradwatch[serve]"')

import aiohttp
from aiohttp import web

from gradwatch.web.door import Door
from gradwatch.web.server import MOST_PAGES, Pages

from .serving import Browser, browser, closed, shown

DASHBOARD = """
import os, sys
os.write(1, b"__GANGLION__\\nD\\0\\0\\0\\x05drawn")
while data := os.read(0, 4096):
    if b"quit" in data:
        break
    os.write(1, b"D" + len(data).to_bytes(4, "big") + data)
"""
"""Speaks as Textual's driver does, and echoes what it is told."""

EVERYWHERE = ("", "page.css", "page.js", "static/js/textual.js", "static/css/xterm.css", "ws", "x")


class House:
    """The pages, served in this process on a real port."""

    def __init__(self, port: int, door: Door) -> None:
        self.address, self.door = f"http://127.0.0.1:{port}", door

    def link(self) -> str:
        return f"{self.address}/?token={self.door.new_token()}"


@pytest_asyncio.fixture
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    program = getattr(request, "param", DASHBOARD)
    door = Door()
    pages = Pages([sys.executable, "-S", "-c", program], dict(os.environ), door)
    runner = web.AppRunner(pages.application(), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield House(runner.addresses[0][1], door)
    await runner.cleanup()


@pytest_asyncio.fixture
async def inside(house) -> AsyncIterator[Browser]:
    """Somebody who came in by the link."""
    async with browser() as someone:
        await someone.open(house.link())
        yield someone


async def test_the_link_becomes_a_cookie_that_no_script_and_no_other_site_has(house):
    async with browser() as someone:
        async with someone.http.get(house.link(), allow_redirects=False) as answer:
            assert answer.status == 303
            cookie = answer.headers["Set-Cookie"]
            path = answer.headers["Location"]
        assert "token" not in path
        assert f"Path={path}" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert len(path) > 20
        status, page = await someone.get(f"{house.address}{path}")
        assert status == 200
        assert "textual.js" in page


async def test_a_link_opens_once_even_for_who_opened_it(house):
    link = house.link()
    async with browser() as first, browser() as second:
        await first.open(link)
        for someone in (first, second):
            status, page = await someone.get(link)
            assert status == 403
            assert "This link was used already" in page
        assert (await first.get(first.page))[0] == 200


async def test_a_link_that_two_open_at_once_opens_for_one(house):
    link = house.link()
    async with browser() as one, browser() as other:
        answers = await asyncio.gather(one.get(link), other.get(link))
    assert sorted(status for status, _ in answers) == [200, 403]


async def test_a_new_link_takes_the_place_of_the_old_one(house):
    old, new = house.link(), house.link()
    async with browser() as someone:
        assert (await someone.get(old))[0] == 403
        await someone.open(new)


async def test_to_look_at_a_link_is_not_to_use_it(house):
    link = house.link()
    async with browser() as someone:
        async with someone.http.head(link) as answer:
            assert answer.status == 405
        await someone.open(link)


@pytest.mark.parametrize("query", ["", "?token=", "?token=x", "?token=%FF%00", "?tokem=1"])
async def test_without_the_token_nothing_opens(house, query):
    house.link()
    async with browser() as someone:
        status, page = await someone.get(f"{house.address}/{query}")
        assert status == 403
        assert "token=" not in page
        assert not someone.http.cookie_jar.filter_cookies(house.address)


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize("cookie", [None, "", "x", "\xff"])
async def test_without_a_session_nothing_is_told_not_even_what_there_is(inside, path, cookie):
    origin = inside.page.rstrip("/").rpartition("/")[0]
    headers = {"Origin": origin} | ({} if cookie is None else {"Cookie": f"gradwatch={cookie}"})
    async with browser() as stranger:
        status, page = await stranger.get(f"{inside.page}{path}", **headers)
        assert status == 403
        assert "This page is closed" in page


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil.example:80@127.0.0.1", "127.0.0.1/", "[::1",
     "localhost.", "127.0.0.1:x", "0.0.0.0", "\xff"],
)  # fmt: skip
async def test_a_name_pointed_at_this_machine_is_refused(inside, path, host):
    status, page = await inside.get(f"{inside.page}{path}", Host=host)
    assert status in (400, 403)
    assert "textual.js" not in page


async def test_through_a_tunnel_the_port_is_another(inside):
    status, page = await inside.get(inside.page, Host="localhost:9999")
    assert status == 200
    assert "ws://localhost:9999/" in page


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https"])
async def test_pages_of_other_origins_are_refused(inside, path, origin):
    status, page = await inside.get(f"{inside.page}{path}", Origin=origin)
    assert status == 403
    assert "Pages of other sites are not let in" in page


@pytest.mark.parametrize("path", EVERYWHERE[1:])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_what_browsers_say_of_other_sites_is_heard(inside, path, site):
    address = inside.page.rstrip("/").rpartition("/")[0]
    headers = {"Sec-Fetch-Site": site, "Origin": address}
    assert (await inside.get(f"{inside.page}{path}", **headers))[0] == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": ""}, {"Origin": "http://evil.example"}, {"Host": "evil.example"},
     {"Sec_Fetch_Site": "cross-site"}],
)  # fmt: skip
async def test_a_websocket_is_opened_by_our_page_only(inside, headers):
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await inside.join(**headers)
    assert refused.value.status == 403


async def test_a_websocket_is_opened_with_a_session_only(inside):
    async with browser() as stranger:
        stranger.page = inside.page
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await stranger.join()
        assert refused.value.status == 403


@pytest.mark.parametrize(
    "path",
    ["static/../page.css", "static/../../door.py", "static/%2e%2e/%2e%2e/app_service.py",
     "static/..%2f..%2fserver.py", "static//etc/passwd", "static/%2fetc%2fpasswd", "static/",
     "static/..%5c..%5cserver.py", "static/css/%00", "page.css/../../etc/passwd"],
)  # fmt: skip
async def test_no_path_leads_out_of_what_is_served(inside, path):
    status, page = await inside.get(f"{inside.page}{path}")
    assert status in (400, 403, 404)
    assert "import" not in page
    assert "root:" not in page


async def test_all_that_is_served_forbids_frames_and_what_comes_from_elsewhere(inside):
    for path in EVERYWHERE:
        async with inside.http.get(f"{inside.page}{path}") as answer:
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    async with inside.http.get(inside.page) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy


async def test_one_page_too_many_is_told_so_and_one_less_makes_room(inside):
    pages = [await inside.join() for _ in range(MOST_PAGES)]
    for page in pages:
        await shown(page, "drawn")
    async with inside.join() as one_more:
        assert "pages are open already" in await shown(one_more, "open this one again")
        assert await closed(one_more) == 1013
    await pages[0].close()
    seen = ""
    while "drawn" not in seen:  # until the first one's process has ended
        async with inside.join() as again:
            seen = await shown(again, "drawn")
    for page in pages:
        await page.close()


@pytest.mark.parametrize(
    "word",
    ["", "{", "[]", "[1]", '["stdin"]', '["stdin", 1]', '["resize", {"width": "x"}]',
     '["run", "x"]', '["stdin", "\\ud800"]', "[" * 5000],
)  # fmt: skip
async def test_a_page_that_speaks_nonsense_is_closed(inside, word):
    async with inside.join() as page:
        await shown(page, "drawn")
        await page.send_str(word)
        assert await closed(page) is not None


async def test_a_word_without_end_closes_the_page(inside):
    async with inside.join() as page:
        await shown(page, "drawn")
        await page.send_str("x" * 300_000)
        assert await closed(page) == 1009


@pytest.mark.parametrize(
    ("asked", "given"),
    [('{"width": 120, "height": 35}', '"width":120,"height":35'),
     ('{"width": 999999999, "height": -5}', '"width":500,"height":1')],
)  # fmt: skip
async def test_a_page_is_as_large_as_can_be_drawn(inside, asked, given):
    async with inside.join() as page:
        await page.send_str(f'["resize", {asked}]')
        assert given in await shown(page, given)


ENDLESS = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.write(1, b"__GANGLION__\\nD\\0\\0\\0\\x05drawn")
while True:
    os.write(1, b"D\\0\\0\\x10\\0" + b"x" * 4096)
"""


@pytest.mark.parametrize("house", [ENDLESS], indirect=True)
async def test_a_dashboard_that_does_not_end_is_killed(inside):
    async with inside.join() as page:
        await shown(page, "drawn")
        (process,) = psutil.Process().children()
    assert (await asyncio.to_thread(psutil.wait_procs, [process], 60))[1] == []


BROKEN = "import sys; sys.exit('Oh \\x1b[31mno.')"


@pytest.mark.parametrize("house", [BROKEN], indirect=True)
async def test_why_a_dashboard_did_not_begin_is_told_and_steers_nothing(inside):
    async with inside.join() as page:
        assert "Oh \\x1b[31mno." in await shown(page, "no.")
        await closed(page)
