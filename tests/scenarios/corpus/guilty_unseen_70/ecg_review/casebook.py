from dataclasses import dataclass, field


@dataclass
class Case:
    patient: int
    trace: list = field(default_factory=list)

    def add(self, cost):
        self.trace.append(cost)  # <- culprit

    @property
    def severity(self):
        return sum(float(c) for c in self.trace) / len(self.trace)


class CaseBook:
    def __init__(self, limit_cases):
        self.limit_cases = limit_cases
        self.records = {}

    def note(self, patients, costs):
        for patient, cost in zip(patients, costs):
            case = self.records.get(patient)
            if case is None:
                case = self.records[patient] = Case(patient)
            case.add(cost)

    def worst(self):
        ranked = sorted(self.records.values(), key=lambda c: -c.severity)
        return [(c.patient, c.severity) for c in ranked[:self.limit_cases]]
