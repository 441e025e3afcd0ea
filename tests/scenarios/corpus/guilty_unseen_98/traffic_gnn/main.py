# gradwatch-corpus: kind=second-backward
# holder: self.support | model.support
# first-bad: 1
# notice: 0
"""Road-sensor forecasting with a learned adjacency (small Graph-WaveNet look-alike)."""
import torch

import config
from data import make_windows
from loop import fit
from model import Forecaster

if __name__ == "__main__":
    torch.manual_seed(config.SEED)
    torch.set_num_threads(1)
    x, y = make_windows(config.SENSORS, config.HISTORY, config.SAMPLES)
    model = Forecaster(config.SENSORS, config.HISTORY, config.HIDDEN)
    fit(model, x, y, epochs=config.EPOCHS, batch=config.BATCH)
