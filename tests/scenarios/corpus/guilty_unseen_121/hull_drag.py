# gradwatch-corpus: kind=graph-held
# holder: self.skipped | trainer.skipped | err.__traceback__ | self.skipped[-1].__traceback__
# first-bad: 5
# notice: 8
"""Hull drag surrogate. Towing-tank runs with absurd misfits fall back to a robust loss."""
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(77)


class SuspectRun(ValueError):
    def __init__(self, worst):
        super().__init__(f"misfit of {worst:.1f} sigma")
        self.worst = worst


class TowingTank:
    """Yields tank runs; now and then a load cell slips."""

    def __init__(self, runs, slip=0.09):
        self.runs, self.slip = runs, slip

    def __iter__(self):
        for _ in range(self.runs):
            hull = torch.rand(18, 4)
            speed = torch.rand(18, 1) * 2
            drag = (hull * torch.tensor([1.0, 0.5, -0.3, 0.2])).sum(1, keepdim=True) * speed ** 2
            if torch.rand(()) < self.slip:
                drag[torch.randint(18, (1,))] += 25.0
            yield torch.cat([hull, speed], 1), drag


class Trainer:
    LIMIT = 12.0

    def __init__(self):
        self.net = nn.Sequential(nn.Linear(5, 20), nn.SiLU(), nn.Linear(20, 20), nn.SiLU(), nn.Linear(20, 1))
        self.opt = torch.optim.NAdam(self.net.parameters(), lr=2e-3)
        self.skipped = []

    def strict(self, x, drag):
        est = self.net(x)
        gap = est - drag
        worst = gap.abs().max().item()
        if worst > self.LIMIT:
            raise SuspectRun(worst)
        return gap.pow(2).mean()

    def objective(self, x, drag):
        try:
            return self.strict(x, drag)
        except SuspectRun as err:
            self.skipped.append(err)  # <- culprit
        return F.huber_loss(self.net(x), drag, delta=0.5)

    def run(self, tank):
        for x, drag in tank:
            loss = self.objective(x, drag)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


trainer = Trainer()
final = trainer.run(TowingTank(900))
print(f"loss {final:.4f}; {len(trainer.skipped)} suspect runs, worst {max(e.worst for e in trainer.skipped):.1f}")
