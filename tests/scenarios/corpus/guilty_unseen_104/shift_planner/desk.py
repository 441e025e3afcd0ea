from collections import Counter

import torch

from plan import Overload, checked


class Desk:
    """Tries the sharp plan first and falls back to a flatter one."""

    def __init__(self, planner, shift):
        self.planner = planner
        self.shift = shift
        self.refusals = []

    def sharp(self, jobs, hours):
        plan = self.planner(jobs, temperature=0.25)
        return plan, checked(plan, hours, self.shift)

    def flat(self, jobs, hours):
        plan = self.planner(jobs, temperature=2.0)
        return plan, plan.T @ hours

    def propose(self, jobs, hours):
        try:
            return self.sharp(jobs, hours)
        except Overload as refusal:
            self.refusals.append(refusal)  # <- culprit
        return self.flat(jobs, hours)

    def report(self):
        by_machine = Counter(r.machine for r in self.refusals)
        worst = max(self.refusals, key=lambda r: r.excess, default=None)
        return f"{len(self.refusals)} refusals {dict(sorted(by_machine.items()))}; worst: {worst}"
