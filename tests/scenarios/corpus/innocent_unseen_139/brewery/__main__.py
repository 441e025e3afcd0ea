# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(4)

from .pipeline import chunks, compose, normalise, sensor_feed
from .tracker import FermentTracker

tracker = FermentTracker(width=10, unroll=4)
stages = compose(normalise(scale=2.0), chunks(4))
for n, (probe, gravity) in enumerate(stages(sensor_feed(4 * 520))):
    err = tracker.step(probe, gravity)
    if n % 104 == 0:
        print(n, f"{err:.4f} state norm {tracker.net.state.norm().item():.2f}")
