from collections import defaultdict, deque


class Diary:
    def __init__(self, window):
        self.pages = defaultdict(lambda: deque(maxlen=window))

    def note(self, **facts):
        for k, v in facts.items():
            self.pages[k].append(v)

    def __str__(self):
        return "  ".join(f"{k} {sum(map(float, p)) / len(p):.3f}" for k, p in self.pages.items())
