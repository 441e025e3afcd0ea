import csv
import io


class CsvLog:
    def __init__(self, fields):
        self.fields = fields
        self.rows = []

    def write(self, **values):
        unknown = set(values) - set(self.fields)
        if unknown:
            raise KeyError(f"unknown columns {sorted(unknown)}")
        self.rows.append(values)  # <- culprit

    def render(self):
        buf = io.StringIO()
        w = csv.DictWriter(buf, self.fields, lineterminator="\n")
        w.writeheader()
        for row in self.rows:
            w.writerow({k: f"{float(v):.6g}" for k, v in row.items()})
        return buf.getvalue()
