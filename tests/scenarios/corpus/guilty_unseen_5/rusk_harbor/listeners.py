from collections import defaultdict

from bus import Listener


class Ticker(Listener):
    """Prints now and then."""

    def __init__(self, every):
        super().__init__("ticker")
        self.every = every

    def on_BatchDone(self, e):
        if e.number % self.every == 0:
            print(f"batch {e.number:4d} {e.port:<10s} wrong {e.wrong:.4f}", flush=True)


class SeasonBook(Listener):
    """Collects per-port results and boils them down when a season is over."""

    def __init__(self):
        super().__init__("season-book")
        self.pages = defaultdict(list)
        self.summary = {}

    def on_BatchDone(self, e):
        self.pages[e.port].append((e.number, e.guess.mean(), e.guess.std()))  # <- culprit

    def on_SeasonOver(self, e):
        for port, rows in self.pages.items():
            self.summary[e.season, port] = sum(m.item() for _, m, _ in rows) / len(rows)
        self.pages.clear()
