# gradwatch-corpus: kind=second-backward
# holder: self.goal_code | policy.goal_code | self.policy.goal_code | trainer.policy.goal_code
# first-bad: 1
import contextlib
import functools

import torch
from torch import nn
import torch.nn.functional as F


class Workcell:
    """Fixed set of bins; the arm must reach for the bin of the parcel."""

    def __init__(self, bins, parcels, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.layout = torch.randn(bins, 3, generator=self.gen)
        self.route = torch.randint(0, bins, (parcels,), generator=self.gen)

    def demonstrations(self, size):
        while True:
            parcel = torch.randint(0, len(self.route), (size,), generator=self.gen)
            tool = 0.5 * torch.randn(size, 3, generator=self.gen)
            bin_id = self.route[parcel]
            velocity = torch.tanh(self.layout[bin_id] - tool)
            yield bin_id, tool, velocity


class GoalPolicy(nn.Module):
    def __init__(self, layout, width):
        super().__init__()
        self.register_buffer("layout", layout)
        self.goal_net = nn.Sequential(
            nn.Linear(3, width),
            nn.Tanh(),
            nn.Linear(width, width),
            nn.Tanh(),
        )
        self.tool_net = nn.Linear(3, width)
        self.mixer = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 3))

    @functools.cached_property  # <- culprit
    def goal_code(self):
        return self.goal_net(self.layout)  # <- culprit

    def forward(self, bin_id, tool):
        goal = self.goal_code[bin_id]  # <- culprit
        joined = torch.cat([goal, torch.relu(self.tool_net(tool))], dim=1)
        return self.mixer(joined)


class ReachTrainer:
    def __init__(self, policy, cell):
        self.policy = policy
        self.cell = cell
        self.optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-3, weight_decay=1e-4)
        self.curve = []

    @contextlib.contextmanager
    def update(self):
        self.optimizer.zero_grad()
        yield
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.optimizer.step()

    def direction_error(self, predicted, wanted):
        cosine = F.cosine_similarity(predicted, wanted, dim=1)
        return (1.0 - cosine).mean()

    def train(self, steps):
        source = self.cell.demonstrations(64)
        for step in range(steps):
            bin_id, tool, velocity = next(source)
            with self.update():
                predicted = self.policy(bin_id, tool)
                speed = F.mse_loss(predicted, velocity)
                loss = speed + 0.1 * self.direction_error(predicted, velocity)
                loss.backward()
            self.curve.append(loss.item())
            if step % 20 == 0:
                print(f"step {step} loss {self.curve[-1]:.4f}")


def main():
    torch.manual_seed(31)
    cell = Workcell(bins=9, parcels=60, seed=31)
    trainer = ReachTrainer(GoalPolicy(cell.layout, width=32), cell)
    trainer.train(100)


if __name__ == "__main__":
    main()
