class RunLog:
    def __init__(self):
        self.rows = []
        self.snapshots = {}

    def add(self, step, loss, pred):
        self.rows.append((step, loss.item(), pred.detach().mean()))

    def snap(self, step, memory):
        self.snapshots[step] = memory.clone()

    def table(self, every=60):
        lines = [f"{s:4d} loss {l:.5f} mean {m.item():.3f}" for s, l, m in self.rows[::every]]
        drift = (self.snapshots[max(self.snapshots)] - self.snapshots[min(self.snapshots)]).norm()
        return "\n".join(lines + [f"memory drift {drift.item():.3f}"])
