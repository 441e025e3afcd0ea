# gradwatch-corpus: kind=graph-held
# holder: self._state["scores"] | self._state[name] | metric._state["scores"] | self._state | metric._state | panel["average_precision"]._state | self.metrics["average_precision"]._state["scores"] | panel.metrics["average_precision"]._state | panel.metrics["average_precision"]._state["scores"]
# first-bad: 1
"""Churn of telephone customers, streaming: one pass over the contracts, metrics over everything seen so far."""
import torch
from torch import nn

from contracts import contract_stream
from metrics import MetricPanel


class ChurnTower(nn.Module):
    def __init__(self, plans=12, regions=30, numeric=8, dim=6):
        super().__init__()
        self.plan = nn.Embedding(plans, dim)
        self.region = nn.Embedding(regions, dim)
        self.deep = nn.Sequential(
            nn.Linear(2 * dim + numeric, 40), nn.PReLU(),
            nn.Linear(40, 20), nn.PReLU(),
            nn.Linear(20, 1),
        )
        self.wide = nn.Linear(numeric, 1, bias=False)

    def forward(self, plan, region, numeric):
        joined = torch.cat([self.plan(plan), self.region(region), numeric], dim=1)
        return (self.deep(joined) + self.wide(numeric)).squeeze(1)


def step_on(model, optimizer, batch, panel):
    plan, region, numeric, gone = batch
    logits = model(plan, region, numeric)
    loss = nn.functional.binary_cross_entropy_with_logits(logits, gone, pos_weight=torch.tensor(2.0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    panel.update(logits, gone)
    return loss.item()


def main(steps=280):
    torch.manual_seed(44)
    model = ChurnTower()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.03)
    panel = MetricPanel("average_precision", "base_rate", "accuracy")
    for number, batch in enumerate(contract_stream(steps, batch=48, seed=6), start=1):
        loss = step_on(model, optimizer, batch, panel)
        if number % 70 == 0:
            shown = "  ".join(f"{name} {value:.3f}" for name, value in panel.compute().items())
            print(f"batch {number}: loss {loss:.4f}  {shown}")


if __name__ == "__main__":
    main()
