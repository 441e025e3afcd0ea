# gradwatch-corpus: kind=none
import torch

from .surgery import GradientSurgeon
from .tasks import CropModel, make_tasks

torch.set_num_threads(1)
torch.manual_seed(41)

model = CropModel(7)
surgeon = GradientSurgeon(model, torch.optim.Adam(model.parameters(), lr=3e-3))

if __name__ == "__main__":
    for step in range(500):
        x = torch.randn(16, 7)
        losses = make_tasks(model(x), x)
        surgeon.step(losses)
        if step % 100 == 0:
            print(step, {k: round(v.item(), 4) for k, v in losses.items()})
