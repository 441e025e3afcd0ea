class FieldBook:
    """What each field did better or worse than predicted."""

    def __init__(self, n_fields):
        self.by_field = {f: [] for f in range(n_fields)}

    def note(self, field_ids, residuals):
        for fid, r in zip(field_ids.tolist(), residuals):
            self.by_field[fid].append(r)  # <- culprit

    def bias(self, fid, last=40):
        rows = self.by_field[fid][-last:]
        return sum(float(r) for r in rows) / max(len(rows), 1)

    def most_biased(self):
        fid = max(self.by_field, key=lambda f: abs(self.bias(f)))
        return fid, self.bias(fid)

    def summary(self):
        for fid in sorted(self.by_field):
            yield f"field {fid}: {len(self.by_field[fid])} observations, bias {self.bias(fid):+.3f}"
