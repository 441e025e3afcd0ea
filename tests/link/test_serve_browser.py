"""The page in a real browser, with a real keyboard."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("textual_serve", reason='needs pip install "gradwatch[serve]"')
pytest.importorskip("playwright", reason="needs pip install playwright")

from gradwatch.commands.chromium import chromium, program

from .serving import DEADLINE_S, all_gone, served

pytestmark = pytest.mark.skipif(program() is None, reason="needs Chromium: apt install chromium")


class Page:
    """A tab, and all that its terminal was told to draw."""

    def __init__(self, tab) -> None:
        self.tab, self.drawn, self.problems = tab, "", []
        self._more = asyncio.Event()
        tab.on("websocket", lambda socket: socket.on("framereceived", self._took))
        tab.on("console", lambda m: m.type == "error" and self.problems.append(m.text))
        tab.on("requestfailed", lambda request: self.problems.append(request.url))

    def _took(self, frame: bytes | str) -> None:
        self.drawn += frame.decode(errors="replace") if isinstance(frame, bytes) else ""
        self._more.set()

    async def shows(self, words: str) -> None:
        while words not in self.drawn:
            self._more.clear()
            await asyncio.wait_for(self._more.wait(), DEADLINE_S)

    async def looks_unlike(self, before: bytes) -> None:
        """What was told is on the screen, too."""
        while await self.tab.screenshot() == before:
            pass


async def test_a_person_at_a_browser_sees_the_job_and_its_keys_work(start_job):
    job = start_job(name="run-7")
    job.tell("post 3")
    job.tell("finding")
    with served("run-7") as server:
        async with chromium() as browser:
            page = Page(await browser.new_page())
            await page.tab.goto(server.link)
            assert "token" not in page.tab.url
            await page.tab.wait_for_selector("body.-first-byte")
            await page.shows("GRAPH GROWS")
            before = await page.tab.screenshot()
            await page.tab.keyboard.press("?")
            await page.shows("freeze the display")
            await page.looks_unlike(before)
            await page.tab.keyboard.press("Escape")
            assert page.problems == []
            dashboards = server.pages
            assert len(dashboards) == 1
            await page.tab.close()
            assert await asyncio.to_thread(all_gone, dashboards)


async def test_the_link_is_dead_and_a_new_tab_of_the_same_browser_is_let_in(start_job):
    start_job(name="run-7")
    with served("run-7") as server:
        async with chromium() as browser:
            someone = await browser.new_context()
            tab = await someone.new_page()
            await tab.goto(server.link)
            address = tab.url
            again = await someone.new_page()
            await again.goto(server.link)
            assert "This link was used already" in await again.content()
            await again.goto(address)
            await again.wait_for_selector("body.-first-byte")
            stranger = await browser.new_page()
            answer = await stranger.goto(address)
            assert answer.status == 403


async def test_after_q_the_page_says_that_it_has_ended_and_opens_again(start_job):
    start_job(name="run-7")
    with served("run-7") as server:
        async with chromium() as browser:
            page = Page(await browser.new_page())
            await page.tab.goto(server.link)
            await page.shows("run-7")
            await page.tab.keyboard.press("q")
            await page.tab.wait_for_selector("body.-closed .ended")
            await page.tab.click("text=Open it again")
            await page.tab.wait_for_selector("body.-first-byte")


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1"])
async def test_a_page_of_another_site_gets_nothing(start_job, name):
    """Though the browser is let in, and even from another port of the same address."""
    start_job(name="run-7")
    asked = []

    async def foreign(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()
        writer.close()

    with served("run-7") as server:
        async with chromium([f"--host-resolver-rules=MAP {name} 127.0.0.1"]) as browser:
            someone = await browser.new_context()
            ours = await someone.new_page()
            await ours.goto(server.link)
            elsewhere = await asyncio.start_server(foreign, "127.0.0.1", 0)
            port = elsewhere.sockets[0].getsockname()[1]
            theirs = await someone.new_page()
            await theirs.goto(f"http://{name}:{port}/")
            told = await theirs.evaluate(ATTACK, ours.url)
            elsewhere.close()
            assert asked
            assert not any(b"gradwatch=" in request for request in asked)
            assert told == {"fetch": "refused", "script": "refused", "socket": "refused"}
            assert len(server.pages) <= 1


ATTACK = """async (page) => {
  const refused = () => "refused";
  const fetched = await fetch(page, {credentials: "include", mode: "no-cors"})
    .then(() => "let in", refused);
  const script = await new Promise((done) => {
    const s = document.createElement("script");
    s.onload = () => done("let in"); s.onerror = () => done("refused");
    s.src = page + "static/js/textual.js"; document.body.append(s);
  });
  const socket = await new Promise((done) => {
    const w = new WebSocket(page.replace("http", "ws") + "ws");
    w.onopen = () => done("let in"); w.onerror = () => done("refused");
  });
  return {fetch: fetched, script: script, socket: socket};
}"""
