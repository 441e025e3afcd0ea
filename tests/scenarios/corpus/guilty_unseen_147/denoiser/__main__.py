# gradwatch-corpus: kind=graph-held
# holder: rows | self.taps[name] | self.taps | probe.taps | pipeline.probe.taps
# first-bad: 1
# notice: 8
import torch

from .instrumentation import LevelProbe
from .network import BandDenoiser
from .pipeline import Pipeline

torch.set_num_threads(1)
torch.manual_seed(5)

net = BandDenoiser(bands=3)
probe = LevelProbe()
pipeline = Pipeline(net, probe)

if __name__ == "__main__":
    pipeline.fit(epochs=10, clips_per_epoch=25)
    print(probe.levels())
