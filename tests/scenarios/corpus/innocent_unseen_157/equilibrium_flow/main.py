# gradwatch-corpus: kind=none
"""Traffic equilibrium model: the fixed point is differentiated implicitly by a hook on it."""
import torch

from network import demand_batches
from equilibrium import EquilibriumLayer

torch.set_num_threads(1)
torch.manual_seed(61)


class TravelTimes(torch.nn.Module):
    def __init__(self, zones, roads):
        super().__init__()
        self.equilibrium = EquilibriumLayer(zones, roads)
        self.delay = torch.nn.Linear(roads, 1)

    def forward(self, demand):
        return self.delay(self.equilibrium(demand)).squeeze(-1)


def main(steps=100):
    model = TravelTimes(zones=6, roads=14)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    best = float("inf")
    for step, (demand, minutes) in enumerate(demand_batches(steps, 16)):
        loss = torch.nn.functional.l1_loss(model(demand), minutes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        best = min(best, loss.item())
        if step % 20 == 19:
            layer = model.equilibrium
            print(f"step {step + 1:3d} l1 {loss.item():.4f} best {best:.4f} "
                  f"iterations forward {layer.forward_rounds} backward {layer.backward_rounds}")


if __name__ == "__main__":
    main()
