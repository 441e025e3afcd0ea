import random


class Aggregate:
    """Aggregated dataset; every entry remembers the learner's last answer."""

    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)

    def add(self, obs, expert):
        self.items.append({"obs": obs, "expert": expert, "policy_action": None})

    def sample(self, k):
        return [random.randrange(len(self.items)) for _ in range(k)]

    def annotate(self, picks, actions):
        for i, a in zip(picks, actions):
            self.items[i]["policy_action"] = a  # <- culprit

    def disagreement(self):
        gaps = [
            float((e["policy_action"] - e["expert"]).abs().mean())
            for e in self.items[-200:]
            if e["policy_action"] is not None
        ]
        return sum(gaps) / max(len(gaps), 1)
