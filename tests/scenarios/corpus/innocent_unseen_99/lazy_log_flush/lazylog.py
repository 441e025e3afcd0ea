class LazyLog:
    def __init__(self, flush_every):
        self.flush_every = flush_every
        self.pending = []
        self.rows = []

    def add(self, it, thunk):
        self.pending.append((it, thunk))
        if len(self.pending) >= self.flush_every:
            self.flush()

    def flush(self):
        if not self.pending:
            return
        fresh = [(it, *thunk()) for it, thunk in self.pending]
        self.pending.clear()
        self.rows.extend(fresh)
        fit = sum(r[1] for r in fresh) / len(fresh)
        energy = sum(r[2] for r in fresh) / len(fresh)
        print(f"up to {fresh[-1][0]:3d}: fit {fit:.5f} energy {energy:.5f} rows {len(self.rows)}")
