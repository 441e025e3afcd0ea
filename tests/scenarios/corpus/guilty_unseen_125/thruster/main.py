# gradwatch-corpus: kind=graph-chain
# holder: self.pos | self.vel | craft.pos | craft.vel | sim.craft.vel | sim.craft.pos | self.craft.vel
# first-bad: 1
# notice: 5
"""Online tuning of constant thruster biases while a craft drifts towards a beacon."""
import torch

torch.set_num_threads(1)
from craft import Craft
from control import BiasTuner

torch.manual_seed(6)
craft = Craft(n_axes=3, dt=0.05)
tuner = BiasTuner(craft, lr=0.01)
beacon = torch.tensor([1.0, -0.5, 2.0])
for tick in range(400):
    miss = tuner.tick(beacon + 0.05 * torch.randn(3))
    if tick % 100 == 0:
        print(tick, f"miss {miss:.3f}", [round(b, 3) for b in craft.bias.tolist()])
