class WardState:
    """Per-ward bookkeeping of a round."""

    def __init__(self):
        self.scores = []
        self.batches = 0

    def note(self, score):
        self.scores.append(score)  # <- culprit
        self.batches += 1

    def best(self):
        return min(s.item() for s in self.scores)


class RoundBook:
    def __init__(self, wards):
        self.states = {w: WardState() for w in wards}

    def new_round(self):
        for ward, state in self.states.items():
            state = WardState()  # <- culprit

    def __getitem__(self, ward):
        return self.states[ward]
