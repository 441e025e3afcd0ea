# gradwatch-corpus: kind=none
"""Multi-task training with a small in-memory table of runs, two indexes and a retention policy."""
import torch
import torch.nn.functional as F
from torch import nn


class RunTable:
    def __init__(self, keep_per_task, vacuum_every):
        self.rows = {}
        self.by_task = {}
        self.by_level = {}
        self.keep = keep_per_task
        self.vacuum_every = vacuum_every
        self.next_id = 0

    @staticmethod
    def level(loss):
        return int(10 * float(loss))

    def insert(self, task, step, loss, output):
        rid = self.next_id
        self.next_id += 1
        self.rows[rid] = {"task": task, "step": step, "loss": loss, "output": output}
        self.by_task.setdefault(task, []).append(rid)
        self.by_level.setdefault(self.level(loss), set()).add(rid)
        if self.next_id % self.vacuum_every == 0:
            self.vacuum()
        return rid

    def delete(self, rid):
        row = self.rows.pop(rid)
        self.by_task[row["task"]].remove(rid)
        level = self.level(row["loss"])
        self.by_level[level].discard(rid)
        if not self.by_level[level]:
            del self.by_level[level]

    def vacuum(self):
        for ids in list(self.by_task.values()):
            for rid in ids[: -self.keep]:
                self.delete(rid)

    def select(self, task=None, max_level=None):
        ids = set(self.rows) if task is None else set(self.by_task.get(task, ()))
        if max_level is not None:
            good = set()
            for lv, members in self.by_level.items():
                if lv <= max_level:
                    good |= members
            ids &= good
        return [self.rows[i] for i in sorted(ids)]


class SharedTrunk(nn.Module):
    def __init__(self, tasks, dim=12, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in tasks})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x)).squeeze(-1)


def main():
    torch.manual_seed(13)
    tasks = ["flow", "heat", "load"]
    truth = {t: torch.randn(12) for t in tasks}
    model = SharedTrunk(tasks)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    table = RunTable(keep_per_task=8, vacuum_every=30)
    for step in range(660):
        task = tasks[torch.randint(0, 3, (1,)).item()]
        x = torch.randn(40, 12)
        y = torch.sin(x @ truth[task])
        out = model(x, task)
        loss = F.smooth_l1_loss(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        table.insert(task, step, loss, out)
        if step % 110 == 109:
            low = table.select(max_level=1)
            line = " ".join(f"{t}:{sum(r['loss'].item() for r in table.select(t)) / max(1, len(table.select(t))):.3f}" for t in tasks)
            print(step + 1, line, "rows", len(table.rows), "low", len(low))


if __name__ == "__main__":
    main()
