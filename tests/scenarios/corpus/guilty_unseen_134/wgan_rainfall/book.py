from collections import defaultdict


class Book:
    def __init__(self):
        self.series = defaultdict(list)

    def write(self, **values):
        for name, value in values.items():
            self.series[name].append(value)  # <- culprit

    def table(self):
        for name, s in self.series.items():
            s = [float(v) for v in s]
            print("%-10s first %.3f last %.3f mean %.3f" % (name, s[0], s[-1], sum(s) / len(s)))
