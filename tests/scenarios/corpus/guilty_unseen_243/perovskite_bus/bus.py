from collections import defaultdict


class Bus:
    def __init__(self):
        self.ears = defaultdict(list)

    def enlist(self, topic, ear):
        self.ears[topic].append(ear)

    def announce(self, topic, **details):
        for ear in self.ears[topic]:
            ear(**details)


class Logbook:
    """Keeps one page per round for the summary at the end."""

    def __init__(self):
        self.pages = []

    def on_round(self, **details):
        self.pages.append(details)  # <- culprit

    def on_close(self):
        misfits = [page["misfit"].item() for page in self.pages]
        spreads = [page["spread"].item() for page in self.pages]
        print("rounds", len(misfits), "best", round(min(misfits), 4), "last spread", round(spreads[-1], 4))


class Whistle:
    def __init__(self, every):
        self.every = every

    def on_round(self, number, misfit, **_):
        if number % self.every == 0:
            print(f"round {number:3d} misfit {misfit.item():.4f}")
