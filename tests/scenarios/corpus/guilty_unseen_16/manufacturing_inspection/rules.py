from line import DEFECTS
from plugins import Rule, plant_rule


@plant_rule("escape-rate", limit=0.25)
class EscapeRate(Rule):
    """Not too many defective parts may pass as good."""

    def __init__(self, limit):
        self.limit = limit

    def check(self, probs, target):
        good = DEFECTS.index("good")
        bad_parts = target != good
        passed = (probs.argmax(1) == good) & bad_parts
        share = int(passed.sum()) / max(int(bad_parts.sum()), 1)
        if share > self.limit:
            self.broken(f"{share:.0%} of the defective parts would have passed")


@plant_rule("certainty", floor=0.45, tolerated=2)
class Certainty(Rule):
    """Hardly a part may be decided on a toss."""

    def __init__(self, floor, tolerated):
        self.floor, self.tolerated = floor, tolerated

    def check(self, probs, target):
        unsure = int((probs.amax(1) < self.floor).sum())
        if unsure > self.tolerated:
            self.broken(f"{unsure} parts decided below {self.floor}")
