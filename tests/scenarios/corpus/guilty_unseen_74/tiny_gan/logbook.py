class Logbook:
    """Rows of named numbers; each player writes one row per turn."""

    def __init__(self, title):
        self.title = title
        self.rows = []

    def write(self, who, **values):
        row = {"who": who}
        row.update(values)
        self.rows.append(row)  # <- culprit

    def column(self, who, name):
        return [float(r[name]) for r in self.rows if r["who"] == who and name in r]

    def report(self, last):
        for who in ("critic", "painter"):
            names = {n for r in self.rows if r["who"] == who for n in r if n != "who"}
            parts = []
            for name in sorted(names):
                numbers = self.column(who, name)[-last:]
                parts.append(f"{name} {sum(numbers) / len(numbers):.3f}")
            print("  ", self.title, who, ", ".join(parts))

    def trend(self):
        real = self.column("critic", "real_score")
        print("real score: first %.3f, last %.3f" % (real[0], real[-1]))
