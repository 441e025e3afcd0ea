# gradwatch-corpus: kind=graph-held
# holder: visualizer.pages | self.pages | visualizer.pages[(epoch, it)]
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(7)

from dataset import unaligned_batches
from cycle_model import CycleModel
from visualizer import Visualizer

model = CycleModel()
visualizer = Visualizer(display_freq=2)

for epoch in range(4):
    for it, data in enumerate(unaligned_batches(n=60, size=8)):
        model.set_input(data)
        model.optimize_parameters()
        visualizer.maybe_display(model.get_current_visuals(), epoch, it)
    visualizer.print_losses(epoch, model.get_current_losses())
visualizer.write_index()
